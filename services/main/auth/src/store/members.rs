//! Joins and lookups of members.

use kernel::MemberId;
use messaging::outbox;
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter};
use uuid::Uuid;

use bootstrap::database::constraint;

use super::{Device, Store};
use crate::domain::mail::device as device_of;
use crate::domain::{
    BirthYear, Consents, Email, Gender, Nickname, Platform, RecommendCode, RefreshToken,
};
use crate::entity::{consent, credential, member};
use crate::error::AuthError;
use crate::events;

#[derive(Clone, Debug)]
pub struct NewMember {
    pub email: Email,
    pub nickname: Nickname,
    pub birth_year: BirthYear,
    pub gender: Option<Gender>,
    pub platform: Option<Platform>,
    /// Includes the required consents.
    pub consents: Consents,
    pub recommend_code: Option<RecommendCode>,
}

impl Store {
    /// An early check before the password is hashed; the unique keys decide.
    ///
    /// # Errors
    /// [`AuthError::EmailTaken`] and [`AuthError::NicknameTaken`].
    pub async fn check_free(&self, email: &Email, nickname: &Nickname) -> Result<(), AuthError> {
        let emails = member::Entity::with_email(email.as_str());
        if emails.count(&self.database).await? > 0 {
            return Err(AuthError::EmailTaken);
        }
        let nicknames = member::Entity::with_nickname_key(&nickname.unique_key());
        if nicknames.count(&self.database).await? > 0 {
            return Err(AuthError::NicknameTaken);
        }
        Ok(())
    }

    /// Inserts the member, the password, the consents, the first session and the event.
    ///
    /// # Errors
    /// [`AuthError::EmailTaken`] and [`AuthError::NicknameTaken`] when a concurrent join has taken it.
    pub async fn join(
        &self,
        person: &NewMember,
        password_hash: String,
        first: &RefreshToken,
        device: &Device,
    ) -> Result<(MemberId, Uuid), AuthError> {
        let now = self.clock.now();
        let transaction = self.begin().await?;
        let member = new_row(person, now)
            .insert(&transaction)
            .await
            .map_err(unique_violation)?;

        let credential = credential::Model {
            member_id: member.id,
            password_hash,
            changed_at: now,
        };
        credential::Entity::insert(credential::ActiveModel::from(credential))
            .exec_without_returning(&transaction)
            .await?;
        let consents = person.consents.given().into_iter().map(|kind| {
            consent::ActiveModel::from(consent::Model {
                member_id: member.id,
                kind: kind.to_owned(),
                agreed_at: now,
            })
        });
        consent::Entity::insert_many(consents)
            .exec_without_returning(&transaction)
            .await?;
        let name = device_of(device.user_agent.as_deref());
        self.know_device(&transaction, member.id, &name).await?;
        let session = self
            .insert_session(&transaction, member.id, first, device)
            .await?;
        let joined = events::member_joined(member.id, &member.nickname, now, &*self.clock);
        outbox::append(&transaction, joined).await?;
        transaction.commit().await?;
        Ok((member.id, session))
    }

    /// `None` for an unknown address, and for a member without a password.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn credential(&self, email: &Email) -> Result<Option<credential::Model>, AuthError> {
        Ok(credential::Entity::of_email(email.as_str())
            .one(&self.database)
            .await?)
    }

    /// Those of the members that there are.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn members(&self, members: &[MemberId]) -> Result<Vec<member::Model>, AuthError> {
        Ok(member::Entity::find()
            .filter(member::Column::Id.is_in(members.iter().map(|id| id.0)))
            .all(&self.database)
            .await?)
    }

    /// # Errors
    /// When the database fails.
    pub async fn member(&self, member: MemberId) -> Result<Option<member::Model>, AuthError> {
        Ok(member::Entity::find_by_id(member)
            .one(&self.database)
            .await?)
    }
}

fn new_row(person: &NewMember, now: chrono::DateTime<chrono::Utc>) -> member::ActiveModel {
    member::ActiveModel {
        id: NotSet,
        email: Set(person.email.as_str().to_owned()),
        nickname: Set(person.nickname.as_str().to_owned()),
        nickname_key: Set(person.nickname.unique_key()),
        birth_year: Set(Some(person.birth_year.get())),
        gender: Set(person.gender.map(|gender| gender.as_str().to_owned())),
        os: Set(person.platform.map(|platform| platform.as_str().to_owned())),
        entered_recommend_code: Set(person
            .recommend_code
            .as_ref()
            .map(|code| code.as_str().to_owned())),
        email_verified: NotSet,
        tutorial_done: NotSet,
        welcome_popup_seen: NotSet,
        subscribe: NotSet,
        competition_mode: NotSet,
        frame: NotSet,
        plate: NotSet,
        theme: NotSet,
        joined_at: Set(now),
        nickname_changed_at: NotSet,
    }
}

/// The name that a concurrent join has taken.
pub(super) fn unique_violation(error: DbErr) -> AuthError {
    match constraint(&error) {
        Some("member_email_unique") => AuthError::EmailTaken,
        Some("member_nickname_unique") => AuthError::NicknameTaken,
        _ => AuthError::Database(error),
    }
}
