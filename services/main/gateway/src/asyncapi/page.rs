//! The document as a page to read: plain HTML, so that it needs neither scripts nor other files.

use actix_web::{HttpRequest, HttpResponse, web};

use super::model::{
    Action, Channel, Document, Kind, Message, Operation, Reference, Schema, last_part,
};
use crate::error::{ApiError, Reason};
use crate::state::AppState;

const STYLE: &str = "\
    :root{color-scheme:light dark}\
    body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1rem}\
    h2{margin-top:2.5rem}h3{margin-top:2rem}\
    table{border-collapse:collapse;width:100%}\
    th,td{border-bottom:1px solid GrayText;padding:.4rem .75rem .4rem 0;\
    text-align:left;vertical-align:top}\
    td:last-child{overflow-wrap:anywhere}.wide{overflow-x:auto}\
    pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid GrayText;padding:.75rem}\
    code,pre{font-size:.875rem}";

/// Answers with the page.
///
/// # Errors
/// When the document is not as [`super::model`] knows it.
pub(crate) async fn page(
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (protocol, host) = super::address(state.origins.of_request(request.headers()));
    let html = render(&format!("{protocol}://{host}")).map_err(|error| {
        tracing::error!(%error, "cannot parse the AsyncAPI document");
        ApiError::from(Reason::Internal)
    })?;
    let response = HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .body(html);
    std::future::ready(Ok(response)).await
}

fn render(server: &str) -> serde_json::Result<String> {
    let document: Document = serde_json::from_str(super::TEXT)?;
    let Document {
        info,
        channels,
        operations,
        components,
    } = &document;
    let title = escaped(&info.title);
    let channels = joined(channels.values().map(|channel| about(channel, server)));
    let operations = table(
        &["Operation", "Sent by", "Messages", "Answers", "Meaning"],
        operations.values().map(row_of_operation),
    );
    let messages = joined(components.messages.iter().map(section_of_message));
    let shapes = joined(components.schemas.iter().map(section_of_schema));
    Ok(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body><main>\
         <h1>{title}</h1><p>{}</p>\
         <p><a href=\"/asyncapi.json\">AsyncAPI 3.0 document</a> · \
         <a href=\"/docs/\">HTTP API</a></p>{channels}\
         <h2>Operations</h2>{operations}<h2>Messages</h2>{messages}<h2>Shapes</h2>{shapes}\
         </main></body></html>",
        prose(&info.description)
    ))
}

fn about(channel: &Channel, server: &str) -> String {
    let limits = channel.limits.iter().map(|(name, limit)| {
        [
            code(name),
            limit.value.to_string(),
            prose(&limit.description),
        ]
    });
    let closes = channel.close_codes.iter().map(|close| {
        [
            close.code.to_string(),
            code(&close.reason),
            prose(&close.description),
        ]
    });
    let refusals = channel.refusals.iter().map(|refusal| {
        [
            refusal.status.to_string(),
            refusal.code.to_string(),
            code(&refusal.reason),
            prose(&refusal.description),
        ]
    });
    format!(
        "<h2>Connection</h2><p>{}</p><p>{}</p>\
         <h3>Limits</h3>{}<h3>Close codes</h3>{}<h3>Refused handshakes</h3>{}",
        code(&format!("{server}{}", channel.address)),
        prose(&channel.description),
        table(&["Limit", "Value", "Meaning"], limits),
        table(&["Code", "Reason", "Meaning"], closes),
        table(&["Status", "Code", "Reason", "Meaning"], refusals),
    )
}

fn row_of_operation(operation: &Operation) -> [String; 5] {
    let sender = match operation.action {
        Action::Receive => "client",
        Action::Send => "server",
    };
    let answers = operation.reply.as_ref();
    [
        escaped(&operation.title),
        sender.to_owned(),
        links(&operation.messages),
        answers.map_or_else(String::new, |reply| links(&reply.messages)),
        prose(&operation.summary),
    ]
}

fn section_of_message((name, message): (&String, &Message)) -> String {
    let examples = message.examples.iter().map(|example| {
        // On one line, as it is sent: within a JSON string there is no line break.
        let lines = example.payload.get().lines().map(str::trim);
        let line = lines.collect::<Vec<_>>().join(" ");
        format!("<pre>{}</pre>", escaped(&line))
    });
    format!(
        "<h3 id=\"{name}\">{}</h3><p>{}</p>{}{}",
        escaped(&message.title),
        prose(&message.summary),
        joined(examples),
        fields(&message.payload)
    )
}

fn section_of_schema((name, schema): (&String, &Schema)) -> String {
    format!(
        "<h3 id=\"{name}\">{name}</h3><p>{}</p>{}",
        prose(&schema.description),
        fields(schema)
    )
}

/// The fields of an object, or what another value may be.
fn fields(schema: &Schema) -> String {
    if schema.properties.is_empty() {
        return format!("<p>{}</p>", kind(schema));
    }
    let rows = schema.properties.iter().map(|(name, field)| {
        let optional = if schema.required.contains(name) {
            ""
        } else {
            ", may be absent"
        };
        [
            code(name),
            format!("{}{optional}", kind(field)),
            prose(&field.description),
        ]
    });
    table(&["Field", "Value", "Meaning"], rows)
}

fn kind(schema: &Schema) -> String {
    if let Some(reference) = &schema.reference {
        return link(last_part(reference));
    }
    if let Some(constant) = &schema.constant {
        return code(&constant.to_string());
    }
    if !schema.choices.is_empty() {
        let choices = schema
            .choices
            .iter()
            .map(|choice| code(&choice.to_string()));
        return choices.collect::<Vec<_>>().join(", ");
    }
    if let Some(items) = &schema.items {
        return format!("list of {}", kind(items));
    }
    match &schema.kind {
        Some(Kind::One(kind)) => escaped(kind),
        Some(Kind::Several(kinds)) => escaped(&kinds.join(" or ")),
        None => {
            let parts = schema.all_of.iter().chain(&schema.one_of).map(kind);
            parts.collect::<Vec<_>>().join(" or ")
        }
    }
}

fn links(references: &[Reference]) -> String {
    let links = references.iter().map(|reference| link(reference.name()));
    links.collect::<Vec<_>>().join(", ")
}

fn link(name: &str) -> String {
    format!("<a href=\"#{name}\">{name}</a>")
}

fn table<const N: usize>(heads: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let heads = joined(
        heads
            .iter()
            .map(|head| format!("<th scope=\"col\">{head}</th>")),
    );
    let rows = joined(rows.map(|cells| {
        let cells = joined(cells.iter().map(|cell| format!("<td>{cell}</td>")));
        format!("<tr>{cells}</tr>")
    }));
    format!(
        "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table></div>"
    )
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect()
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// A text in which what stands between backticks is code.
fn prose(text: &str) -> String {
    let parts = text.split('`').enumerate();
    joined(parts.map(|(place, part)| {
        if place % 2 == 0 {
            escaped(part)
        } else {
            code(part)
        }
    }))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
