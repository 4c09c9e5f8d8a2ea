//! The trading process.

use anyhow::bail;
use bootstrap::service;
use kernel::{MemberId, SystemClock};
use messaging::Amqp;
use secrecy::ExposeSecret;
use sqlx::PgPool;
use telemetry::LogFormat;
use trading::MIGRATOR;
use trading::audit::{self, Finding, across};
use trading::cash::grant::{self, CashGrant};
use trading::config::{AuditConfig, Command};

// As in the gateway.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main("trading", trading::run, execute).await
}

async fn execute(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Migrate(config) => service::migrate("trading", config, &MIGRATOR).await,
        Command::Redrive(config) => {
            bootstrap::init("trading", LogFormat::Text);
            let amqp = Amqp::new(config.amqp_url.expose_secret())?;
            let redriven = messaging::redrive::run(&amqp, config.queue.as_deref()).await?;
            println!("{redriven}");
            Ok(())
        }
        Command::GrantCash(config) => {
            bootstrap::init("trading", LogFormat::Text);
            let (_, db) = bootstrap::database::connect(&config.database_url, 1).await?;
            let grant = CashGrant {
                member_id: MemberId(config.member),
                amount: config.amount,
                reason: config.reason,
                key: config.key,
            };
            let cash = grant::grant(&db, &SystemClock, &grant).await?;
            println!("member {} has {cash} cash", config.member);
            Ok(())
        }
        Command::Audit(config) => {
            bootstrap::init("trading", LogFormat::Text);
            let (pool, _) = bootstrap::database::connect(&config.database_url, 1).await?;
            let mut report = audit::run(&pool, config.outbox_age_s).await?;
            report.findings.extend(compare(&config, &pool).await?);
            println!("{report}");
            if report.findings.is_empty() {
                Ok(())
            } else {
                bail!("{} rows do not add up", report.findings.len())
            }
        }
    }
}

/// What the databases of other services say of this one's rows, as far as they are named.
async fn compare(config: &AuditConfig, pool: &PgPool) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut trading = pool.acquire().await?;
    if let Some(url) = &config.auth_database_url {
        let (auth, _) = bootstrap::database::connect(url, 1).await?;
        let mut auth = auth.acquire().await?;
        findings.extend(across::with_auth(&mut trading, &mut auth).await?);
    }
    if let Some(url) = &config.market_database_url {
        let (market, _) = bootstrap::database::connect(url, 1).await?;
        let mut market = market.acquire().await?;
        findings.extend(across::with_market(&mut trading, &mut market).await?);
    }
    Ok(findings)
}
