//! Sending away at the door. In an overload most requests find no seat, and that must cost next to
//! nothing: so whoever reads is told before their route is looked for and prepared. Such answers are
//! counted, and not written down: there are most of them when there is least time for it.

use std::collections::HashMap;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};
use bootstrap::trace;

use crate::headers;
use crate::registry::{Class, Endpoint};
use crate::state::Gateway;

/// Which class a path is of, as far as one look tells.
pub(crate) struct Door {
    paths: HashMap<&'static str, Class>,
    /// What a path with one parameter, its last part, begins with.
    beginnings: HashMap<&'static str, Class>,
}

impl Door {
    /// For the routes that read. A path that is not known here goes the ordinary way.
    pub(crate) fn of(endpoints: &[Endpoint]) -> Self {
        let (mut paths, mut beginnings) = (HashMap::new(), HashMap::new());
        for endpoint in endpoints {
            let declared = &endpoint.declared;
            if declared.method != Method::GET {
                continue;
            }
            match declared.path.rsplit_once('/') {
                Some((before, last)) if last.starts_with('{') => {
                    beginnings.insert(before, declared.class);
                }
                Some(_) | None => {
                    paths.insert(declared.path, declared.class);
                }
            }
        }
        Self { paths, beginnings }
    }

    fn class(&self, path: &str) -> Option<Class> {
        let known = self.paths.get(path).copied();
        known.or_else(|| {
            let (before, _) = path.rsplit_once('/')?;
            self.beginnings.get(before).copied()
        })
    }
}

/// Runs the rest if there is room for it. Stands before everything that prepares a request, and so
/// dresses its own answers. A body that comes in chunks goes the ordinary way, where it is read.
pub(crate) async fn around<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let refusal = request
        .app_data::<web::Data<Gateway>>()
        .filter(|_| request.method() == Method::GET)
        .filter(|_| !request.headers().contains_key(header::TRANSFER_ENCODING))
        .and_then(|state| state.seats.refusal(state.door.class(request.path())?));
    match refusal {
        None => next
            .call(request)
            .await
            .map(ServiceResponse::map_into_left_body),
        Some(refusal) => {
            let context = headers::trace_of(&request);
            let response = trace::scope(context, async { refusal.error_response() }).await;
            let mut response = request.into_response(response);
            headers::dress(&mut response, context);
            Ok(response.map_into_right_body())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::endpoints;

    #[test]
    fn a_path_is_of_the_class_its_route_declares() {
        let door = Door::of(&endpoints());
        for endpoint in endpoints() {
            let declared = &endpoint.declared;
            let is_plain = declared.path.matches('{').count() == 0
                || (declared.path.ends_with('}') && declared.path.matches('{').count() == 1);
            if declared.method == Method::GET && is_plain {
                let asked = declared.path.replace(['{', '}'], "");
                assert_eq!(door.class(&asked), Some(declared.class), "{asked}");
            }
        }
        assert_eq!(door.class("/"), None);
        assert_eq!(door.class("/assets/main.js"), None);
        assert_eq!(door.class("/api/v1/stock/real/code/1/2"), None);
    }
}
