use kernel::Clock;
use proto::auth::v1 as wire;

use super::{Service, device, new_refresh_token};
use crate::domain::{
    BirthYear, Consents, Email, Gender, NewPassword, Nickname, Platform, RecommendCode,
};
use crate::error::AuthError;
use crate::store::{Device, NewMember};

impl Service {
    pub(super) async fn join_member(
        &self,
        request: wire::JoinRequest,
    ) -> Result<wire::Session, AuthError> {
        let (person, password) = read(&request, &*self.clock)?;
        let device = device(request.device);
        let join = self.joins.begin(device.ip).await?;
        let joined = self.add_member(&person, &password, &device).await;
        if let (Some(join), Err(error)) = (join, &joined)
            && error.is_ours()
        {
            join.cancel().await;
        }
        joined
    }

    async fn add_member(
        &self,
        person: &NewMember,
        password: &NewPassword,
        device: &Device,
    ) -> Result<wire::Session, AuthError> {
        self.store
            .check_free(&person.email, &person.nickname)
            .await?;
        let hash = self.hasher.hash(password.password()).await?;
        let token = new_refresh_token()?;
        let (member, session) = self.store.join(person, hash, &token, device).await?;
        metrics::counter!("auth_joins_total").increment(1);
        self.session(member, session, Some(&token))
    }
}

/// Validates the form; returns the first error.
fn read(
    request: &wire::JoinRequest,
    clock: &dyn Clock,
) -> Result<(NewMember, NewPassword), AuthError> {
    let consents = Consents {
        terms: request.terms_agreed,
        privacy: request.privacy_agreed,
        age14: request.age14,
        marketing: request.marketing_agreed,
    }
    .require()?;
    let email = Email::parse(&request.email)?;
    if !email.is_mailable() {
        return Err(AuthError::InvalidEmail);
    }
    let nickname = Nickname::parse(&request.nickname)?;
    let password = NewPassword::parse(&request.password, &email, &nickname)?;
    let person = NewMember {
        birth_year: BirthYear::parse(request.birth_year, clock.today_kst())?,
        gender: Gender::parse(&request.gender)?,
        platform: Platform::parse(&request.os)?,
        recommend_code: RecommendCode::parse(&request.recommend_code),
        nickname,
        email,
        consents,
    };
    Ok((person, password))
}
