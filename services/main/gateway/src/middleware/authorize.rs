//! Everything that is checked before a handler runs: concurrency, authentication, rate limits, origin,
//! the shape of the body, and that the caller is the member the request is about. No handler runs for
//! a request that its [`RouteSpec`] does not allow.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError, web};
use bootstrap::caller;
use bootstrap::deadline::{self, Deadline};
use kernel::MemberId;

use super::concurrency::Permit;
use super::rate_limit::RateLimitKey;
use crate::authentication::{Authentication, Caller};
use crate::endpoint::{RouteSpec, Subject};
use crate::error::{ApiError, Reason};
use crate::extract::json::{self, Body};
use crate::origins::Origins;
use crate::state::AppState;

/// Parameters and fields that always name a member, also where the spec does not mention them.
const MEMBER_NAMES: [&str; 2] = ["memberSid", "member_sid"];

const MAINTENANCE_RETRY_S: u64 = 30;

/// Runs `next` within the deadline of the route's class if the request is allowed.
pub(crate) async fn authorize<B: MessageBody>(
    spec: Arc<RouteSpec>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    request.extensions_mut().insert(Arc::clone(&spec));
    let handling = async {
        match check(&spec, &mut request).await {
            Ok(_permits) => next
                .call(request)
                .await
                .map(ServiceResponse::map_into_left_body),
            Err(error) => Ok(request
                .into_response(error.error_response())
                .map_into_right_body()),
        }
    };
    deadline::scope(Deadline::within(spec.class.deadline()), handling).await
}

/// The address of the client, behind `trusted_proxies` proxies.
pub(crate) fn client_address(request: &HttpRequest, trusted_proxies: usize) -> IpAddr {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip());
    let forwarded = request.headers().get_all("x-forwarded-for");
    let entries = forwarded.filter_map(|value| value.to_str().ok());
    caller::address(peer, entries, trusted_proxies)
}

/// The permits count as running requests until they are dropped.
async fn check(
    spec: &RouteSpec,
    request: &mut ServiceRequest,
) -> Result<(Permit, Option<Permit>), ApiError> {
    let state = request
        .app_data::<web::Data<AppState>>()
        .cloned()
        .ok_or(Reason::Internal)?;
    if state.config.maintenance_until.is_some() && spec.path.starts_with("/api/") {
        return Err(ApiError::from(Reason::Maintenance).retry_after(MAINTENANCE_RETRY_S));
    }
    let mut permit = None;
    if spec.method == Method::GET {
        permit = Some(state.concurrency.acquire(spec.class)?);
    } else if state.concurrency.shed_if_full(spec.class) {
        return Err(Reason::Unavailable.into());
    }
    if spec.hashes_password() {
        state.concurrency.check_hashing()?;
    }

    let address = client_address(request.request(), state.config.trusted_proxies);
    let authentication = if spec.subject == Subject::Public {
        Authentication::of_nobody(Ok(None))
    } else {
        state.authenticator.authenticate(request.headers()).await
    };
    let key = rate_limit_key(spec, &authentication, address);
    state.rate_limits.check(key).await?;
    let caller = required_caller(spec.subject, authentication.caller)?;

    if spec.method != Method::GET {
        check_origin(request.request(), &state.origins)?;
    }
    if spec.takes_json() {
        let read = Box::pin(json::read(request));
        let body = state.body_reads.run(address, read).await?;
        request.extensions_mut().insert(body);
    }
    check_subject(spec.subject, request, caller.as_ref())?;
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    // Only after the body has arrived: slow clients would keep others from ordering and logging in.
    let permit = match permit {
        Some(permit) => permit,
        None => state.concurrency.acquire(spec.class)?,
    };
    let hashing = if spec.hashes_password() {
        Some(acquire_hashing(&state, spec, address).await?)
    } else {
        None
    };
    Ok((permit, hashing))
}

/// Last of all, so that what is refused before counts no hash for those who share the address.
async fn acquire_hashing(
    state: &AppState,
    spec: &RouteSpec,
    address: IpAddr,
) -> Result<Permit, ApiError> {
    let permit = state.concurrency.acquire_hashing()?;
    for _hash in 0..spec.password_hashes {
        for key in RateLimitKey::hashes(address) {
            state.rate_limits.check(key).await?;
        }
    }
    Ok(permit)
}

fn rate_limit_key(
    spec: &RouteSpec,
    authentication: &Authentication,
    address: IpAddr,
) -> RateLimitKey {
    match (&authentication.caller, authentication.signed_for) {
        _ if spec.takes_refresh_token => RateLimitKey::refreshes(address),
        _ if spec.serves_files => RateLimitKey::files(address),
        (Ok(Some(caller)), _) => RateLimitKey::Member(caller.member_id),
        (Ok(None) | Err(_), Some(member)) => RateLimitKey::UnacceptedToken(member),
        (Ok(None) | Err(_), None) => RateLimitKey::address(address),
    }
}

/// Fails without a caller where `subject` needs one, and for an invalid token where it counts.
fn required_caller(
    subject: Subject,
    caller: Result<Option<Caller>, ApiError>,
) -> Result<Option<Caller>, ApiError> {
    match subject {
        Subject::Public | Subject::Anyone => Ok(caller.unwrap_or(None)),
        Subject::PublicOrSelf(_) | Subject::QueryOrNobody(_) | Subject::BodyOrNobody(_) => caller,
        Subject::Path(_) | Subject::Query(_) | Subject::Body(_) | Subject::Owner => caller?
            .map(Some)
            .ok_or_else(|| Reason::InvalidAuthentication.into()),
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
        (Subject::QueryOrNobody(name), caller) => {
            let given = query_values(request.query_string(), &[name])?;
            let subject = match given.as_slice() {
                [] => MemberId::NOBODY,
                [value] => parse_member(name, Some(value))?,
                [_, _, ..] => return Err(ApiError::field(name, "회원 번호는 하나만 보내 주세요")),
            };
            must_be_nobody_or(caller, subject)?;
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
    check_other_members(request, caller)
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

/// A member named anywhere in the request must be the caller, also where no handler reads it.
fn check_other_members(request: &ServiceRequest, caller: Option<&Caller>) -> Result<(), ApiError> {
    let Some(caller) = caller else {
        return Ok(());
    };
    for value in query_values(request.query_string(), &MEMBER_NAMES)? {
        must_be_nobody_or(Some(caller), parse_member("memberSid", Some(&value))?)?;
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

/// Against cross-site request forgery: a browser names the page's origin, which must be a configured
/// one or the requested host.
fn check_origin(request: &HttpRequest, origins: &Origins) -> Result<(), ApiError> {
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
    if origins.allow(origin) || same_host {
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
