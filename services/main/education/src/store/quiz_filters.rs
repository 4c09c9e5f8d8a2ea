//! The copy of the filters that members set in auth.

use kernel::MemberId;
use sqlx::PgExecutor;

use super::Store;
use crate::content::Level;
use crate::domain::selection::QuizFilter;
use crate::error::StudyError;

impl Store {
    /// Replaces an older version of the filter.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn keep_quiz_filter(
        &self,
        member: MemberId,
        filter: &QuizFilter,
        version: i64,
    ) -> Result<(), StudyError> {
        let levels: Vec<&str> = filter.levels.iter().map(|level| level.word()).collect();
        sqlx::query(
            "insert into quiz_filter as kept (member_id, themes, levels, version) \
             values ($1, $2, $3, $4) on conflict (member_id) do update \
             set themes = excluded.themes, levels = excluded.levels, version = excluded.version \
             where kept.version < excluded.version",
        )
        .bind(member.0)
        .bind(&filter.themes)
        .bind(levels)
        .bind(version)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// What a member wants to be asked about, in the member's order.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn quiz_filter(&self, member: MemberId) -> Result<QuizFilter, StudyError> {
        Ok(self.quiz_filter_in(&self.pool, member).await?)
    }

    /// Without themes that the content does not have.
    pub(super) async fn quiz_filter_in(
        &self,
        executor: impl PgExecutor<'_>,
        member: MemberId,
    ) -> Result<QuizFilter, sqlx::Error> {
        let row: Option<(Vec<String>, Vec<String>)> =
            sqlx::query_as("select themes, levels from quiz_filter where member_id = $1")
                .bind(member.0)
                .fetch_optional(executor)
                .await?;
        let (mut themes, levels) = row.unwrap_or_default();
        themes.retain(|theme| self.library.theme(theme).is_some());
        let levels = levels.iter().filter_map(|word| Level::parse(word));
        Ok(QuizFilter {
            themes,
            levels: levels.collect(),
        })
    }
}
