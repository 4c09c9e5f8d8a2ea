//! The pages: `/` lists the mails, `/mails/{id}` shows one, and `/mails.json` is the list as JSON
//! (`?to=` filters by recipient).

use std::fmt::Write;

use actix_web::http::header::ContentType;
use actix_web::{App, HttpResponse, HttpServer, web};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::mail_store::{Mail, MailStore};

/// Serves the pages until `shutdown`.
///
/// # Errors
/// When the listener is unusable.
pub async fn serve(
    listener: std::net::TcpListener,
    mail_store: MailStore,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let mail_store = web::Data::new(mail_store);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(mail_store.clone())
            .route("/", web::get().to(list))
            .route("/mails.json", web::get().to(list_json))
            .route("/mails/{id}", web::get().to(one))
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

async fn list(mail_store: web::Data<MailStore>) -> actix_web::Result<HttpResponse> {
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
    Ok(page("받은 메일", &format!("<ul>{rows}</ul>")))
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
