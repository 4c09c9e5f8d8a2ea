//! Members of the quote service and their tokens.

use proto::market::v1 as wire;

use super::Market;
use crate::error::MarketError;
use crate::sise::{SISE_TOKEN_S, VerifiedMember};

impl Market {
    pub(super) async fn register(
        &self,
        main_access_token: &str,
    ) -> Result<wire::SiseMember, MarketError> {
        let VerifiedMember { member, .. } = self.verifier.verify(main_access_token).await?;
        self.store
            .register_member(member, self.clock.as_ref())
            .await?;
        Ok(wire::SiseMember {
            member_id: member.0,
        })
    }

    /// Registers the member if necessary.
    pub(super) async fn issue_token(
        &self,
        main_access_token: &str,
    ) -> Result<wire::SiseToken, MarketError> {
        let owner = self.verifier.verify(main_access_token).await?;
        self.store
            .register_member(owner.member, self.clock.as_ref())
            .await?;
        let token = self.signer.token(&owner, self.clock.now());
        Ok(wire::SiseToken {
            member_id: owner.member.0,
            token: token.map_err(|error| MarketError::Internal(error.to_string()))?,
            expires_in_s: SISE_TOKEN_S,
        })
    }
}
