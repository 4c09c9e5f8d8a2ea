//! The pages: `/` lists mails and pushes, `/mails/{id}` shows a mail. `/mails.json` (`?to=` filters by
//! recipient) and `/pushes.json` (`?member=`) are the lists as JSON; `/pushes` takes a push.

use std::fmt::Write;

use actix_web::http::header::ContentType;
use actix_web::{App, HttpResponse, HttpServer, Responder, web};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::mail_store::{Mail, MailStore};
use crate::push_store::{Push, PushStore};

/// Bytes of a push.
const MAX_PUSH: usize = 16 * 1024;

/// Serves the pages until `shutdown`.
///
/// # Errors
/// When the listener is unusable.
pub async fn serve(
    listener: std::net::TcpListener,
    mail_store: MailStore,
    push_store: PushStore,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let mail_store = web::Data::new(mail_store);
    let push_store = web::Data::new(push_store);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(mail_store.clone())
            .app_data(push_store.clone())
            .app_data(web::JsonConfig::default().limit(MAX_PUSH))
            .route("/", web::get().to(list))
            .route("/mails.json", web::get().to(list_json))
            .route("/mails/{id}", web::get().to(one))
            .route("/pushes", web::post().to(take_push))
            .route("/pushes.json", web::get().to(list_pushes_json))
    })
    .workers(1)
    .disable_signals()
    .listen(listener)?
    .run();
    let handle = server.handle();
    tokio::spawn(async move {
        shutdown.cancelled().await;
        handle.stop(true).await;
    });
    server.await
}

#[derive(Deserialize)]
struct Filter {
    to: Option<String>,
}

async fn list_json(
    mail_store: web::Data<MailStore>,
    filter: web::Query<Filter>,
) -> actix_web::Result<web::Json<Vec<Mail>>> {
    let mut mails = mail_store.newest().await?;
    if let Some(to) = &filter.to {
        mails.retain(|mail| mail.to.contains(to));
    }
    Ok(web::Json(mails))
}

#[derive(Deserialize)]
struct PushFilter {
    member: Option<i64>,
}

async fn list_pushes_json(
    push_store: web::Data<PushStore>,
    filter: web::Query<PushFilter>,
) -> actix_web::Result<web::Json<Vec<Push>>> {
    let mut pushes = push_store.newest().await?;
    if let Some(member) = filter.member {
        pushes.retain(|push| push.member_sid == member);
    }
    Ok(web::Json(pushes))
}

async fn take_push(
    push_store: web::Data<PushStore>,
    push: web::Json<Push>,
) -> actix_web::Result<impl Responder> {
    push_store.save(&push).await?;
    Ok(HttpResponse::NoContent())
}

async fn list(
    mail_store: web::Data<MailStore>,
    push_store: web::Data<PushStore>,
) -> actix_web::Result<HttpResponse> {
    let mut rows = String::new();
    for mail in mail_store.newest().await? {
        let _infallible = write!(
            rows,
            "<li><a href=\"/mails/{}\">{}</a> {}</li>",
            mail.id,
            escaped(&mail.subject),
            escaped(&mail.to.join(", "))
        );
    }
    let mut pushes = String::new();
    for push in push_store.newest().await? {
        let _infallible = write!(
            pushes,
            "<li><b>{}</b> {} <small>{} · {} · {} · {}</small></li>",
            escaped(&push.title),
            escaped(&push.body),
            push.member_sid,
            escaped(&push.kind),
            escaped(&push.kinds.join(", ")),
            escaped(&push.link)
        );
    }
    let body = format!(
        "<ul>{rows}</ul><h1 id=\"pushes\">보낸 푸시</h1><ul aria-labelledby=\"pushes\">{pushes}</ul>"
    );
    Ok(page("받은 메일", &body))
}

async fn one(mail_store: web::Data<MailStore>, id: web::Path<String>) -> HttpResponse {
    let Some(mail) = mail_store.mail(&id).await else {
        return HttpResponse::NotFound().finish();
    };
    // The sandbox allows a mail nothing but opening its links.
    let body = format!(
        "<p><a href=\"/\">목록</a></p><p>{}</p>\
         <iframe sandbox=\"allow-popups\" srcdoc=\"{}\" style=\"width:100%;height:60vh\"></iframe>\
         <pre>{}</pre>",
        escaped(&mail.to.join(", ")),
        escaped(&format!("<base target=\"_blank\">{}", mail.html)),
        escaped(&mail.text)
    );
    page(&mail.subject, &body)
}

fn page(title: &str, body: &str) -> HttpResponse {
    let title = escaped(title);
    HttpResponse::Ok()
        .content_type(ContentType::html())
        .body(format!(
            "<!doctype html><html lang=\"ko\"><meta charset=\"utf-8\"><title>{title}</title>\
             <h1>{title}</h1>{body}</html>"
        ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
