//! Path parameters of several routes. The product calls the caller `sid` in some paths and `id` in
//! others.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::wire::code::Code;

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
pub(super) struct IdPath {
    /// The caller.
    id: i64,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
pub(super) struct SidPath {
    /// The caller.
    sid: i64,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct IdCodePath {
    /// The caller.
    #[serde(rename = "id")]
    _id: i64,
    #[param(inline)]
    pub(super) code: Code,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
pub(super) struct SidOrNobody {
    /// The caller, or 0 for nobody.
    sid: i64,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
pub(super) struct IdOrNobody {
    /// The caller, or 0 for nobody.
    id: i64,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct CodePath {
    #[param(inline)]
    pub(super) code: Code,
}
