//! The services of profiles and of credentials, as auth has them, of a test.

use std::sync::Arc;

use proto::auth::v1::credential_service_server::CredentialService;
use proto::auth::v1::member_service_server::MemberService;
use proto::auth::v1::push_service_server::PushService;
use proto::auth::v1::{
    AskPasswordResetRequest, AskPasswordResetResponse, ChangePasswordRequest,
    ChangePasswordResponse, FinishTutorialRequest, GetPushKeyRequest, GetQuizFilterRequest,
    ListPublicProfilesRequest, Member, NoteClientRequest, Noted, PublicProfiles, PushKey,
    QuizFilter, ResetPasswordRequest, ResetPasswordResponse, SeeWelcomePopupRequest,
    SendEmailCodeRequest, SendEmailCodeResponse, SetAppearanceRequest, SetQuizFilterRequest,
    SubscribeRequest, Subscribed, UnsubscribeRequest, Unsubscribed, UpdateProfileRequest,
    VerifyEmailRequest,
};

use super::{Scenario, fake, samples};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { MemberService:
    update_profile(UpdateProfileRequest) -> Member = |request| samples::member(request.member_id);
    set_appearance(SetAppearanceRequest) -> Member = |request| Member {
        frame: request.frame.unwrap_or_default(),
        ..samples::member(request.member_id)
    };
    note_client(NoteClientRequest) -> Noted = |_| Noted {};
    finish_tutorial(FinishTutorialRequest) -> Noted = |_| Noted {};
    see_welcome_popup(SeeWelcomePopupRequest) -> Noted = |_| Noted {};
    get_quiz_filter(GetQuizFilterRequest) -> QuizFilter = |request| QuizFilter {
        member_id: request.member_id,
        themes: vec!["환율".to_owned()],
        levels: vec!["EASY".to_owned()],
    };
    list_public_profiles(ListPublicProfilesRequest) -> PublicProfiles = |request| {
        let known = request.member_ids.into_iter().filter(|id| *id != samples::GONE);
        PublicProfiles {
            profiles: known.map(samples::public_profile).collect(),
        }
    };
    set_quiz_filter(SetQuizFilterRequest) -> QuizFilter = |request| QuizFilter {
        member_id: request.member_id,
        themes: request.themes,
        levels: request.levels,
    };
}

fake! { CredentialService:
    change_password(ChangePasswordRequest) -> ChangePasswordResponse =
        |_| ChangePasswordResponse {};
    ask_password_reset(AskPasswordResetRequest) -> AskPasswordResetResponse =
        |_| AskPasswordResetResponse {};
    reset_password(ResetPasswordRequest) -> ResetPasswordResponse = |_| ResetPasswordResponse {};
    send_email_code(SendEmailCodeRequest) -> SendEmailCodeResponse = |_| SendEmailCodeResponse {};
    verify_email(VerifyEmailRequest) -> Member = |request| samples::member(request.member_id);
}

fake! { PushService:
    subscribe(SubscribeRequest) -> Subscribed = |_| Subscribed {};
    unsubscribe(UnsubscribeRequest) -> Unsubscribed = |_| Unsubscribed {};
    get_push_key(GetPushKeyRequest) -> PushKey = |_| PushKey {
        public_key: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4".to_owned(),
    };
}
