//! Quiz filters, and the events that tell education of them.

use kernel::MemberId;
use messaging::outbox;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};

use super::Store;
use crate::domain::QuizFilter;
use crate::entity::quiz_filter::{ActiveModel, Column, Entity, Model, Words};
use crate::error::AuthError;
use crate::events;

/// Filters that are announced together.
const ANNOUNCED: u64 = 100;

impl Store {
    /// The member's choice; all themes and levels where nothing was chosen.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn quiz_filter(&self, member: MemberId) -> Result<QuizFilter, AuthError> {
        let row = Entity::find_by_id(member).one(&self.database).await?;
        Ok(row.map(QuizFilter::from).unwrap_or_default())
    }

    /// Replaces the member's choice and tells education of it.
    ///
    /// # Errors
    /// When the database fails, as for a member that does not exist.
    pub async fn set_quiz_filter(
        &self,
        member: MemberId,
        filter: &QuizFilter,
    ) -> Result<(), AuthError> {
        let transaction = self.begin().await?;
        self.replace_quiz_filter(&transaction, member, filter)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Tells education of at most a hundred filters that were chosen before filters had versions.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn announce_quiz_filters(&self) -> Result<u64, AuthError> {
        let transaction = self.begin().await?;
        let unannounced = Entity::find()
            .filter(Column::Version.eq(0))
            .limit(ANNOUNCED)
            .lock_exclusive()
            .all(&transaction)
            .await?;
        let mut announced = 0;
        for row in unannounced {
            let member = row.member_id;
            self.replace_quiz_filter(&transaction, member, &row.into())
                .await?;
            announced += 1;
        }
        transaction.commit().await?;
        Ok(announced)
    }

    async fn replace_quiz_filter(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        filter: &QuizFilter,
    ) -> Result<(), AuthError> {
        let row = Model {
            member_id: member,
            themes: Words(filter.themes.clone()),
            levels: Words(filter.levels.clone()),
            version: 1,
        };
        let replace = OnConflict::column(Column::MemberId)
            .update_columns([Column::Themes, Column::Levels])
            .value(Column::Version, Expr::col((Entity, Column::Version)).add(1))
            .to_owned();
        let stored = Entity::insert(ActiveModel::from(row))
            .on_conflict(replace)
            .exec_with_returning(transaction)
            .await?;
        let changed =
            events::quiz_filter_changed(member, filter.clone(), stored.version, &*self.clock);
        outbox::append(transaction, changed).await?;
        Ok(())
    }
}

impl From<Model> for QuizFilter {
    fn from(row: Model) -> Self {
        Self {
            themes: row.themes.0,
            levels: row.levels.0,
        }
    }
}
