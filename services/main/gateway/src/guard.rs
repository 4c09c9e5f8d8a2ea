//! What happens before any handler: who calls, may they call so often, is there room, is the body
//! well-formed, and is the subject of the request the caller. A handler behind it can only be
//! reached by a request that its route's declaration allows.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, ResponseError, web};
use bootstrap::caller;
use bootstrap::deadline::{self, Deadline};
use kernel::MemberId;

use crate::body::{self, Body};
use crate::error::{ApiError, Reason};
use crate::limits::Key;
use crate::origins::Origins;
use crate::registry::{Declared, Subject};
use crate::seats::Seat;
use crate::session::Caller;
use crate::state::Gateway;

/// Names under which a request may carry a member besides the declared one.
const MEMBER_NAMES: [&str; 2] = ["memberSid", "member_sid"];

/// How soon a client asks again while the API is closed.
const MAINTENANCE_RETRY_S: u64 = 30;

/// Runs `next` under the deadline of the route's class if the request may pass.
pub(crate) async fn around<B: MessageBody>(
    declared: Arc<Declared>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    request.extensions_mut().insert(Arc::clone(&declared));
    let passing = async {
        match admit(&declared, &mut request).await {
            Ok(_seats) => next
                .call(request)
                .await
                .map(ServiceResponse::map_into_left_body),
            Err(refused) => Ok(request
                .into_response(refused.error_response())
                .map_into_right_body()),
        }
    };
    deadline::scope(Deadline::within(declared.class.limit()), passing).await
}

/// The caller of a route that needs one.
impl FromRequest for Caller {
    type Error = ApiError;
    type Future = std::future::Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let caller = request.extensions().get::<Self>().cloned();
        std::future::ready(caller.ok_or_else(|| Reason::InvalidAuthentication.into()))
    }
}

/// The address a request comes from, as far as it can be known.
pub(crate) fn address(request: &HttpRequest, trusted_proxies: usize) -> IpAddr {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip());
    let forwarded = request.headers().get_all("x-forwarded-for");
    let entries = forwarded.filter_map(|value| value.to_str().ok());
    caller::address(peer, entries, trusted_proxies)
}

async fn admit(
    declared: &Declared,
    request: &mut ServiceRequest,
) -> Result<(Seat, Option<Seat>), ApiError> {
    let state = request
        .app_data::<web::Data<Gateway>>()
        .cloned()
        .ok_or(Reason::Internal)?;
    if state.config.maintenance_until.is_some() && declared.path.starts_with("/api/") {
        return Err(ApiError::from(Reason::Maintenance).retry_after(MAINTENANCE_RETRY_S));
    }
    let seat = state.seats.take(declared.class)?;
    if declared.hashes {
        state.seats.check_hashing()?;
    }

    let address = address(request.request(), state.config.trusted_proxies);
    let known = identify(declared.subject, request.request(), &state).await;
    let key = match &known {
        Ok(Some(caller)) => Key::Member(caller.member_id),
        Ok(None) | Err(_) => Key::address(address),
    };
    state.limits.check(key).await?;
    let caller = known?;

    if declared.method != Method::GET {
        refuse_foreign_origin(request.request(), &state.origins)?;
        let body = Box::pin(body::read(request)).await?;
        request.extensions_mut().insert(body);
    }
    check_subject(declared.subject, request, caller.as_ref())?;
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    // Not before the body is there: who sends it slowly would keep others from logging in.
    let hashing = declared.hashes.then(|| state.seats.take_hashing());
    Ok((seat, hashing.transpose()?))
}

async fn identify(
    subject: Subject,
    request: &HttpRequest,
    state: &Gateway,
) -> Result<Option<Caller>, ApiError> {
    match subject {
        Subject::Public => Ok(None),
        Subject::Anyone => Ok(state
            .sessions
            .authenticate(request.headers())
            .await
            .unwrap_or(None)),
        Subject::PublicOrSelf(_) | Subject::BodyOrNobody(_) => {
            state.sessions.authenticate(request.headers()).await
        }
        Subject::Path(_) | Subject::Query(_) | Subject::Body(_) | Subject::Owner => {
            let caller = state.sessions.authenticate(request.headers()).await?;
            caller
                .map(Some)
                .ok_or_else(|| Reason::InvalidAuthentication.into())
        }
    }
}

fn check_subject(
    subject: Subject,
    request: &ServiceRequest,
    caller: Option<&Caller>,
) -> Result<(), ApiError> {
    let path = |name: &str| parse_member(name, request.match_info().get(name));
    match (subject, caller) {
        (Subject::Public | Subject::Anyone, _) => return Ok(()),
        (Subject::PublicOrSelf(name), caller) => {
            must_be_nobody_or(caller, path(name)?)?;
        }
        (Subject::BodyOrNobody(name), caller) => {
            let subject = body_member(request, name).transpose()?;
            must_be_nobody_or(caller, subject.unwrap_or(MemberId::NOBODY))?;
        }
        (Subject::Path(name), Some(caller)) => caller.must_be(path(name)?)?,
        (Subject::Query(name), Some(caller)) => {
            let given = query_values(request.query_string(), &[name])?;
            let [value] = given.as_slice() else {
                return Err(ApiError::field(name, "회원 번호가 하나 필요해요"));
            };
            caller.must_be(parse_member(name, Some(value))?)?;
        }
        (Subject::Body(name), Some(caller)) => {
            let member = body_member(request, name);
            let member = member.ok_or_else(|| ApiError::field(name, "회원 번호가 필요해요"))??;
            caller.must_be(member)?;
        }
        (Subject::Owner, Some(_)) => {}
        (Subject::Path(_) | Subject::Query(_) | Subject::Body(_) | Subject::Owner, None) => {
            return Err(Reason::InvalidAuthentication.into());
        }
    }
    refuse_other_members(request, caller)
}

fn body_member(request: &ServiceRequest, name: &str) -> Option<Result<MemberId, ApiError>> {
    request.extensions().get::<Body>()?.member(name)
}

fn must_be_nobody_or(caller: Option<&Caller>, subject: MemberId) -> Result<(), ApiError> {
    match caller {
        _ if subject == MemberId::NOBODY => Ok(()),
        Some(caller) => caller.must_be(subject),
        None => Err(Reason::InvalidAuthentication.into()),
    }
}

/// A member named anywhere in the request must be the caller, also where nobody looks for one.
fn refuse_other_members(request: &ServiceRequest, caller: Option<&Caller>) -> Result<(), ApiError> {
    let Some(caller) = caller else {
        return Ok(());
    };
    for value in query_values(request.query_string(), &MEMBER_NAMES)? {
        caller.must_be(parse_member("memberSid", Some(&value))?)?;
    }
    if let Some(body) = request.extensions().get::<Body>() {
        for name in MEMBER_NAMES {
            if let Some(member) = body.member(name) {
                must_be_nobody_or(Some(caller), member?)?;
            }
        }
    }
    Ok(())
}

fn query_values(query: &str, names: &[&str]) -> Result<Vec<String>, ApiError> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(query)
        .map_err(|_unreadable| ApiError::field("query", "주소의 값을 읽을 수 없어요"))?;
    let named = |(name, value): (String, String)| names.contains(&name.as_str()).then_some(value);
    Ok(pairs.into_inner().into_iter().filter_map(named).collect())
}

fn parse_member(name: &str, text: Option<&str>) -> Result<MemberId, ApiError> {
    text.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| text.parse().ok())
        .map(MemberId)
        .ok_or_else(|| ApiError::field(name, "회원 번호가 올바르지 않아요"))
}

/// A browser names the site a request comes from. One that is neither ours nor the host asked for
/// may not change anything, whatever cookie travels with it.
fn refuse_foreign_origin(request: &HttpRequest, ours: &Origins) -> Result<(), ApiError> {
    let Some(origin) = request.headers().get(header::ORIGIN) else {
        return Ok(());
    };
    let origin = origin.to_str().unwrap_or_default();
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let same_host = origin
        .split_once("://")
        .is_some_and(|(_, authority)| Some(authority) == host);
    if ours.allow(origin) || same_host {
        Ok(())
    } else {
        Err(Reason::ForbiddenOrigin.into())
    }
}

impl Caller {
    fn must_be(&self, member: MemberId) -> Result<(), ApiError> {
        if self.member_id == member {
            Ok(())
        } else {
            Err(Reason::ForbiddenMember.into())
        }
    }
}
