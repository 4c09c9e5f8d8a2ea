use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::auth::v1 as wire;
use proto::auth::v1::member_service_server::MemberService;
use tonic::{Request, Response};

use super::Service;
use crate::domain::{BirthYear, Gender, Nickname, Platform, QuizFilter, Slot};
use crate::error::AuthError;
use crate::store::{OnboardingStep, ProfileChange, Worn};

/// Public profiles of one call.
const MOST_PROFILES: usize = 200;

impl Service {
    async fn change_profile(
        &self,
        request: wire::UpdateProfileRequest,
    ) -> Result<wire::Member, AuthError> {
        let nickname = request.nickname.as_deref().map(Nickname::parse);
        let today = self.clock.today_kst();
        let birth_year = request.birth_year.map(|year| BirthYear::parse(year, today));
        let gender = request.gender.as_deref().map(Gender::parse);
        let change = ProfileChange {
            nickname: nickname.transpose()?,
            birth_year: birth_year.transpose()?,
            gender: gender.transpose()?,
        };
        let member = MemberId(request.member_id);
        let row = self.store.update_profile(member, &change).await?;
        Ok(self.to_wire(row))
    }

    async fn choose(
        &self,
        request: wire::SetQuizFilterRequest,
    ) -> Result<wire::QuizFilter, AuthError> {
        let filter = QuizFilter::parse(&request.themes, &request.levels)?;
        let member = MemberId(request.member_id);
        self.store.set_quiz_filter(member, &filter).await?;
        Ok(filter_of(member, filter))
    }
}

impl Service {
    async fn wear(&self, request: wire::SetAppearanceRequest) -> Result<wire::Member, AuthError> {
        let wanted = [
            (Slot::Frame, request.frame),
            (Slot::Plate, request.plate),
            (Slot::Theme, request.theme),
        ];
        let worn: Vec<Worn> = wanted
            .into_iter()
            .filter_map(|(slot, picture)| Some((slot, picture?)))
            .map(|(slot, picture)| (slot, Some(picture).filter(|name| !name.is_empty())))
            .collect();
        let member = MemberId(request.member_id);
        Ok(self.to_wire(self.store.set_appearance(member, &worn).await?))
    }
}

#[tonic::async_trait]
impl MemberService for Service {
    async fn update_profile(
        &self,
        request: Request<wire::UpdateProfileRequest>,
    ) -> Reply<wire::Member> {
        let changed = self.change_profile(request.into_inner()).await?;
        Ok(Response::new(changed))
    }

    async fn note_client(&self, request: Request<wire::NoteClientRequest>) -> Reply<wire::Noted> {
        let request = request.into_inner();
        let platform = Platform::parse(&request.os).map_err(AuthError::from)?;
        let member = MemberId(request.member_id);
        self.store.note_client(member, platform).await?;
        Ok(Response::new(wire::Noted {}))
    }

    async fn finish_tutorial(
        &self,
        request: Request<wire::FinishTutorialRequest>,
    ) -> Reply<wire::Noted> {
        let member = MemberId(request.into_inner().member_id);
        self.store
            .complete_onboarding_step(member, OnboardingStep::Tutorial)
            .await?;
        Ok(Response::new(wire::Noted {}))
    }

    async fn see_welcome_popup(
        &self,
        request: Request<wire::SeeWelcomePopupRequest>,
    ) -> Reply<wire::Noted> {
        let member = MemberId(request.into_inner().member_id);
        self.store
            .complete_onboarding_step(member, OnboardingStep::WelcomePopup)
            .await?;
        Ok(Response::new(wire::Noted {}))
    }

    async fn get_quiz_filter(
        &self,
        request: Request<wire::GetQuizFilterRequest>,
    ) -> Reply<wire::QuizFilter> {
        let member = MemberId(request.into_inner().member_id);
        let filter = self.store.quiz_filter(member).await?;
        Ok(Response::new(filter_of(member, filter)))
    }

    async fn set_quiz_filter(
        &self,
        request: Request<wire::SetQuizFilterRequest>,
    ) -> Reply<wire::QuizFilter> {
        Ok(Response::new(self.choose(request.into_inner()).await?))
    }

    async fn set_appearance(
        &self,
        request: Request<wire::SetAppearanceRequest>,
    ) -> Reply<wire::Member> {
        Ok(Response::new(self.wear(request.into_inner()).await?))
    }

    async fn list_public_profiles(
        &self,
        request: Request<wire::ListPublicProfilesRequest>,
    ) -> Reply<wire::PublicProfiles> {
        let asked = request.into_inner().member_ids;
        let ids: Vec<MemberId> = asked
            .into_iter()
            .take(MOST_PROFILES)
            .map(MemberId)
            .collect();
        let rows = self.store.members(&ids).await?;
        let profiles = rows.into_iter().map(|row| wire::PublicProfile {
            member_id: row.id.0,
            nickname: row.nickname,
            frame: row.frame.unwrap_or_default(),
            plate: row.plate.unwrap_or_default(),
        });
        Ok(Response::new(wire::PublicProfiles {
            profiles: profiles.collect(),
        }))
    }
}

fn filter_of(member: MemberId, filter: QuizFilter) -> wire::QuizFilter {
    wire::QuizFilter {
        member_id: member.0,
        themes: filter.themes,
        levels: filter.levels,
    }
}
