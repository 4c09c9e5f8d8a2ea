//! What the paths of several routes name: the caller, written `sid` in some of the product's calls
//! and `id` in others, and an instrument.

use serde::Deserialize;
use utoipa::IntoParams;

use super::shape::words::Code;
use crate::registry::Subject;

/// A path that names the caller.
pub(super) trait CallerPath: Sized {
    /// Where it names the caller.
    const SUBJECT: Subject;

    /// The instrument that it names besides.
    fn code(self) -> Option<Code> {
        None
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct SidPath {
    /// The caller.
    #[serde(rename = "sid")]
    _sid: i64,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct SidCodePath {
    /// The caller.
    #[serde(rename = "sid")]
    _sid: i64,
    #[param(inline)]
    code: Code,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct IdPath {
    /// The caller.
    #[serde(rename = "id")]
    _id: i64,
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
#[expect(dead_code, reason = "the guard reads it; this describes it")]
pub(super) struct SidOrNobody {
    /// The caller, or 0 for nobody.
    sid: i64,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the guard reads it; this describes it")]
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

impl CallerPath for SidPath {
    const SUBJECT: Subject = Subject::Path("sid");
}

impl CallerPath for SidCodePath {
    const SUBJECT: Subject = Subject::Path("sid");

    fn code(self) -> Option<Code> {
        Some(self.code)
    }
}

impl CallerPath for IdPath {
    const SUBJECT: Subject = Subject::Path("id");
}

impl CallerPath for IdCodePath {
    const SUBJECT: Subject = Subject::Path("id");

    fn code(self) -> Option<Code> {
        Some(self.code)
    }
}
