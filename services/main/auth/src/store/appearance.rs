//! What members wear, and what they may.

use kernel::MemberId;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, PaginatorTrait, QueryFilter, Statement,
};

use super::Store;
use super::credentials::lock_member;
use crate::domain::Slot;
use crate::entity::{member, wearable};
use crate::error::AuthError;

/// A slot, and the name of the picture that is worn there; `None` takes it off.
pub type Worn = (Slot, Option<String>);

impl Store {
    /// Wears items that the member owns. Atomic.
    ///
    /// # Errors
    /// [`AuthError::ItemNotOwned`], [`AuthError::MemberNotFound`].
    pub async fn set_appearance(
        &self,
        member: MemberId,
        worn: &[Worn],
    ) -> Result<member::Model, AuthError> {
        let transaction = self.begin().await?;
        let row = lock_member(&transaction, member).await?;
        if worn.is_empty() {
            return Ok(row);
        }
        let mut update = member::Entity::update_many().filter(member::Column::Id.eq(member));
        for (slot, picture) in worn {
            if let Some(picture) = picture {
                let owned = wearable::Entity::find()
                    .filter(wearable::Column::MemberId.eq(member))
                    .filter(wearable::Column::Picture.eq(picture.as_str()))
                    .filter(wearable::Column::Slot.eq(slot.as_str()));
                if !is_picture(picture) || owned.count(&transaction).await? == 0 {
                    return Err(AuthError::ItemNotOwned);
                }
            }
            update = update.col_expr(column(*slot), Expr::value(picture.clone()));
        }
        update.exec(&transaction).await?;
        let row = member::Entity::find_by_id(member).one(&transaction).await?;
        transaction.commit().await?;
        row.ok_or(AuthError::MemberNotFound)
    }

    /// Notes that a member owns an item that is worn in `slot`. Repeating it changes nothing, and
    /// nothing is noted of a member who does not exist any more.
    ///
    /// # Errors
    /// [`AuthError::ItemNotOwned`] for a name that no picture can have, or of the database.
    pub async fn own_wearable(
        &self,
        member: MemberId,
        slot: Slot,
        picture: &str,
    ) -> Result<(), AuthError> {
        if !is_picture(picture) {
            return Err(AuthError::ItemNotOwned);
        }
        let note = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "insert into wearable (member_id, picture, slot) \
             select id, $2, $3 from member where id = $1 on conflict do nothing",
            [member.into(), picture.into(), slot.as_str().into()],
        );
        self.database.execute_raw(note).await?;
        Ok(())
    }
}

/// Whether a picture can have this name: `frame-gold`.
fn is_picture(name: &str) -> bool {
    let is_part = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
    (1..=60).contains(&name.len()) && name.bytes().all(is_part)
}

fn column(slot: Slot) -> member::Column {
    match slot {
        Slot::Frame => member::Column::Frame,
        Slot::Plate => member::Column::Plate,
        Slot::Theme => member::Column::Theme,
    }
}
