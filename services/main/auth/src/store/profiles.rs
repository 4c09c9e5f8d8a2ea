//! Changes of a member's profile.

use kernel::MemberId;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::Store;
use super::credentials::lock_member;
use super::members::unique_violation;
use crate::domain::nickname::changeable_at;
use crate::domain::{BirthYear, Gender, Nickname, Platform};
use crate::entity::member;
use crate::error::AuthError;

/// `None` leaves a field unchanged.
#[derive(Clone, Debug, Default)]
pub struct ProfileChange {
    pub nickname: Option<Nickname>,
    pub birth_year: Option<BirthYear>,
    /// `Some(None)` removes it.
    pub gender: Option<Option<Gender>>,
}

/// Shown to each member once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnboardingStep {
    Tutorial,
    WelcomePopup,
}

impl Store {
    /// Atomic. Setting the current nickname again does not count as a change.
    ///
    /// # Errors
    /// [`AuthError::NicknameTooSoon`], [`AuthError::NicknameTaken`], [`AuthError::MemberNotFound`].
    pub async fn update_profile(
        &self,
        member: MemberId,
        change: &ProfileChange,
    ) -> Result<member::Model, AuthError> {
        let now = self.clock.now();
        let transaction = self.begin().await?;
        let row = lock_member(&transaction, member).await?;
        let mut update = member::Entity::update_many().filter(member::Column::Id.eq(member));
        let mut changes = false;
        let nickname = change.nickname.as_ref();
        if let Some(nickname) = nickname.filter(|nickname| nickname.as_str() != row.nickname) {
            if let Some(changeable_at) = changeable_at(row.nickname_changed_at, now) {
                return Err(AuthError::NicknameTooSoon { changeable_at });
            }
            update = update
                .col_expr(member::Column::Nickname, Expr::value(nickname.as_str()))
                .col_expr(
                    member::Column::NicknameKey,
                    Expr::value(nickname.unique_key()),
                )
                .col_expr(member::Column::NicknameChangedAt, Expr::value(now));
            changes = true;
        }
        if let Some(year) = change.birth_year {
            update = update.col_expr(member::Column::BirthYear, Expr::value(year.get()));
            changes = true;
        }
        if let Some(gender) = change.gender {
            let letter = gender.map(|gender| gender.as_str().to_owned());
            update = update.col_expr(member::Column::Gender, Expr::value(letter));
            changes = true;
        }
        if !changes {
            return Ok(row);
        }
        update.exec(&transaction).await.map_err(unique_violation)?;
        let row = member::Entity::find_by_id(member).one(&transaction).await?;
        transaction.commit().await?;
        row.ok_or(AuthError::MemberNotFound)
    }

    /// Records the app that a member uses; an unknown one changes nothing.
    ///
    /// # Errors
    /// [`AuthError::MemberNotFound`].
    pub async fn note_client(
        &self,
        member: MemberId,
        platform: Option<Platform>,
    ) -> Result<(), AuthError> {
        match platform {
            Some(platform) => {
                let word = Expr::value(platform.as_str());
                self.set(member, member::Column::Os, word).await
            }
            None => Ok(()),
        }
    }

    /// A step stays done; completing it again changes nothing.
    ///
    /// # Errors
    /// [`AuthError::MemberNotFound`].
    pub async fn complete_onboarding_step(
        &self,
        member: MemberId,
        step: OnboardingStep,
    ) -> Result<(), AuthError> {
        let column = match step {
            OnboardingStep::Tutorial => member::Column::TutorialDone,
            OnboardingStep::WelcomePopup => member::Column::WelcomePopupSeen,
        };
        self.set(member, column, Expr::value(true)).await
    }

    async fn set(
        &self,
        member: MemberId,
        column: member::Column,
        value: Expr,
    ) -> Result<(), AuthError> {
        let update = member::Entity::update_many()
            .col_expr(column, value)
            .filter(member::Column::Id.eq(member));
        match update.exec(&self.database).await?.rows_affected {
            0 => Err(AuthError::MemberNotFound),
            _ => Ok(()),
        }
    }
}
