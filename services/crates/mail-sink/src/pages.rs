//! The pages on which the kept mails are read: `/` lists them, `/mails/{id}` shows one,
//! `/mails.json` is the list for programs (`?to=` narrows it to one recipient).

use std::fmt::Write;

use actix_web::http::header::ContentType;
use actix_web::{App, HttpResponse, HttpServer, web};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::shelf::{Mail, Shelf};

/// Serves the pages until `shutdown`.
///
/// # Errors
/// When the listener is unusable.
pub async fn serve(
    listener: std::net::TcpListener,
    shelf: Shelf,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let shelf = web::Data::new(shelf);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(shelf.clone())
            .route("/", web::get().to(list))
            .route("/mails.json", web::get().to(list_for_programs))
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
struct Narrowed {
    to: Option<String>,
}

async fn list_for_programs(
    shelf: web::Data<Shelf>,
    narrowed: web::Query<Narrowed>,
) -> actix_web::Result<web::Json<Vec<Mail>>> {
    let mut mails = shelf.newest().await?;
    if let Some(to) = &narrowed.to {
        mails.retain(|mail| mail.to.contains(to));
    }
    Ok(web::Json(mails))
}

async fn list(shelf: web::Data<Shelf>) -> actix_web::Result<HttpResponse> {
    let mut rows = String::new();
    for mail in shelf.newest().await? {
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

async fn one(shelf: web::Data<Shelf>, id: web::Path<String>) -> HttpResponse {
    let Some(mail) = shelf.mail(&id).await else {
        return HttpResponse::NotFound().finish();
    };
    // The frame keeps a mail from doing anything but showing itself and opening its links.
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
