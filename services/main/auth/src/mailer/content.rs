//! The texts of mails, each as plain text and as HTML.

use anyhow::Context;
use chrono::{DateTime, Utc};
use kernel::clock::KST;
use lettre::Message;
use lettre::message::{Mailbox, MultiPart};
use uuid::Uuid;

use super::device_name::device_name;

/// The product's light colours (`frontend/src/shared/tokens/tokens.json`, where contrasts are
/// tested): mail clients do not support custom properties.
const PAGE: &str = "#FFFFFF";
const TEXT: &str = "#191F28";
const SMALL_PRINT: &str = "#4E5968";
const BUTTON: &str = "#1F6FE5";
const BUTTON_LABEL: &str = "#FFFFFF";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MailContent {
    subject: &'static str,
    paragraphs: Vec<String>,
    highlight: Highlight,
    ending: String,
}

/// The link or code of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Highlight {
    Link { label: &'static str, url: String },
    Code(String),
}

impl MailContent {
    pub(super) fn password_reset(link: &str) -> Self {
        Self {
            subject: "새 비밀번호를 정해주세요",
            paragraphs: vec![
                "안녕하세요, 시드업이에요.".to_owned(),
                "비밀번호를 다시 정하고 싶다는 요청을 받았어요. 아래에서 새 비밀번호를 정해주세요."
                    .to_owned(),
            ],
            highlight: Highlight::Link {
                label: "새 비밀번호 정하기",
                url: link.to_owned(),
            },
            ending: "링크는 30분 동안 한 번만 쓸 수 있어요. 요청한 적이 없다면 이 메일을 지워도 괜찮아요. 비밀번호는 바뀌지 않아요."
                .to_owned(),
        }
    }

    pub(super) fn email_code(code: &str) -> Self {
        Self {
            subject: "시드업 인증번호예요",
            paragraphs: vec![
                "안녕하세요, 시드업이에요.".to_owned(),
                "앱에 아래 인증번호를 입력하면 이메일 확인이 끝나요.".to_owned(),
            ],
            highlight: Highlight::Code(code.to_owned()),
            ending: "인증번호는 10분 동안 쓸 수 있어요. 다른 사람에게 알려주지 마세요.".to_owned(),
        }
    }

    pub(super) fn new_device(at: DateTime<Utc>, user_agent: Option<&str>, link: &str) -> Self {
        let device = user_agent.and_then(device_name);
        let at = at.with_timezone(&KST).format("%Y년 %-m월 %-d일 %H시 %M분");
        Self {
            subject: "새로운 기기에서 로그인했어요",
            paragraphs: vec![
                "안녕하세요, 시드업이에요.".to_owned(),
                format!(
                    "{at}에 처음 보는 기기에서 로그인했어요. 기기: {}",
                    device.as_deref().unwrap_or("알 수 없는 기기")
                ),
                "본인이 맞다면 아무것도 하지 않아도 돼요. 아니라면 비밀번호를 바로 바꿔주세요."
                    .to_owned(),
            ],
            highlight: Highlight::Link {
                label: "비밀번호 바꾸기",
                url: link.to_owned(),
            },
            ending: "비밀번호를 바꾸면 다른 기기에서는 모두 로그아웃돼요.".to_owned(),
        }
    }

    /// The Message-ID is the same for each sending, so that a mail client can detect a repetition.
    pub(super) fn addressed(
        &self,
        from: &Mailbox,
        recipient: &str,
        id: Uuid,
    ) -> anyhow::Result<Message> {
        let address = recipient.parse().context("the address is none")?;
        Message::builder()
            .from(from.clone())
            .to(Mailbox::new(None, address))
            .subject(self.subject)
            .message_id(Some(format!("<{id}@{}>", from.email.domain())))
            .multipart(MultiPart::alternative_plain_html(self.plain(), self.html()))
            .context("the mail cannot be written")
    }

    fn plain(&self) -> String {
        let highlight = match &self.highlight {
            Highlight::Link { label, url } => format!("{label}: {url}"),
            Highlight::Code(code) => code.clone(),
        };
        let mut parts = self.paragraphs.clone();
        parts.extend([highlight, self.ending.clone(), "시드업 드림".to_owned()]);
        parts.join("\n\n")
    }

    fn html(&self) -> String {
        let paragraphs: String = self
            .paragraphs
            .iter()
            .map(|text| format!("<p>{}</p>", escaped(text)))
            .collect();
        let highlight = match &self.highlight {
            Highlight::Link { label, url } => format!(
                "<p><a href=\"{}\" style=\"display:inline-block;padding:14px 20px;\
                 border-radius:12px;background:{BUTTON};color:{BUTTON_LABEL};text-decoration:none;\
                 font-weight:600\">{label}</a></p>",
                escaped(url)
            ),
            Highlight::Code(code) => format!(
                "<p style=\"font-size:28px;font-weight:700;letter-spacing:6px\">{}</p>",
                escaped(code)
            ),
        };
        format!(
            "<!doctype html><html lang=\"ko\"><head><meta charset=\"utf-8\"></head>\
             <body style=\"font-family:sans-serif;font-size:16px;line-height:1.6;\
             background:{PAGE};color:{TEXT}\">\
             {paragraphs}{highlight}<p style=\"color:{SMALL_PRINT}\">{}</p><p>시드업 드림</p>\
             </body></html>",
            escaped(&self.ending)
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Email;

    proptest! {
        #[test]
        fn whoever_may_join_can_be_written_to(text in "[!-~가-힣]{1,12}@[!-~가-힣]{1,12}\\.[!-~]{2,4}") {
            if let Ok(email) = Email::parse(&text)
                && email.is_mailable()
            {
                let from: Mailbox = "시드업 <no-reply@seedup.invalid>".parse().unwrap();
                let message = MailContent::email_code("123456").addressed(&from, email.as_str(), Uuid::nil());
                let written = String::from_utf8(message.unwrap().formatted()).unwrap();
                let recipients = written.lines().filter(|line| line.starts_with("To: "));
                prop_assert_eq!(recipients.count(), 1);
            }
        }
    }

    #[test]
    fn what_a_client_calls_itself_is_not_printed() {
        let at = "2026-11-21T00:03:00Z".parse().unwrap();
        let content =
            |user_agent| MailContent::new_device(at, user_agent, "http://localhost:8080/a");
        for unknown in [None, Some("<img src=x>"), Some("https://evil.example")] {
            let content = content(unknown);
            for text in [content.html(), content.plain()] {
                assert!(text.contains("기기: 알 수 없는 기기"), "{text}");
                assert!(text.contains("2026년 11월 21일 09시 03분"), "{text}");
                assert!(!text.contains("img") && !text.contains("evil"), "{text}");
            }
        }
        let known = content(Some("Chrome/131.0 (Linux; Android 14) evil.example")).plain();
        assert!(known.contains("기기: Chrome · Android\n"), "{known}");
    }

    #[test]
    fn mails_have_the_colours_of_the_product() {
        let tokens = include_str!("../../../../../frontend/src/shared/tokens/tokens.json");
        let tokens: serde_json::Value = serde_json::from_str(tokens).unwrap();
        let light = &tokens["color"]["light"];
        for (name, colour) in [
            ("bg", PAGE),
            ("text", TEXT),
            ("text-2", SMALL_PRINT),
            ("btn-primary", BUTTON),
            ("btn-label", BUTTON_LABEL),
        ] {
            assert_eq!(light[name], colour, "{name}");
        }
        let html = MailContent::password_reset("http://localhost:8080/").html();
        let used = html.split('#').skip(1).map(|rest| &rest[..6]);
        let ours = [PAGE, TEXT, BUTTON, BUTTON_LABEL, SMALL_PRINT].map(|colour| &colour[1..]);
        assert_eq!(used.collect::<Vec<_>>(), ours);
    }

    #[test]
    fn a_mail_has_both_texts_and_an_id_that_repeats() {
        let from: Mailbox = "시드업 <no-reply@seedup.invalid>".parse().unwrap();
        let link = "http://localhost:8080/password/new?token=abc";
        let content = MailContent::password_reset(link);
        let id = Uuid::from_u128(7);
        let message = content.addressed(&from, "a@b.kr", id).unwrap();
        let text = String::from_utf8(message.formatted()).unwrap();
        assert!(text.contains(&format!("<{id}@seedup.invalid>")));
        assert!(text.contains("multipart/alternative"));
        assert!(content.plain().contains(link) && content.html().contains(link));
        assert!(content.addressed(&from, "no address", id).is_err());
    }
}
