use anyhow::bail;
use bootstrap::service;
use kernel::{Clock, MemberId, SystemClock, Won};
use messaging::Amqp;
use sea_orm::DatabaseConnection;
use secrecy::ExposeSecret;
use sqlx::PgPool;
use telemetry::LogFormat;
use trading::MIGRATOR;
use trading::audit::{self, Finding, across};
use trading::cash::grant::{self, CashGrant};
use trading::competitions::cancel;
use trading::competitions::operator::{self, Decision, NewEvent};
use trading::config::{AuditConfig, Command, CompetitionCommand};

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
        Command::Competition(config) => {
            bootstrap::init("trading", LogFormat::Text);
            let (_, db) = bootstrap::database::connect(&config.database_url, 1).await?;
            competition(&db, config.command).await
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

async fn competition(db: &DatabaseConnection, command: CompetitionCommand) -> anyhow::Result<()> {
    let now = SystemClock.now();
    let decide = async |objection_id, is_upheld, answer, withheld_from: Vec<i64>| {
        let decision = Decision {
            objection_id,
            is_upheld,
            answer,
            withheld_from: withheld_from.into_iter().map(MemberId).collect(),
        };
        operator::decide(db, &decision, now).await
    };
    match command {
        CompetitionCommand::Create {
            title,
            first_day,
            days,
            start_cash,
            shows_holdings,
        } => {
            let event = NewEvent {
                title,
                first_day,
                days,
                start_cash: Won(start_cash),
                shows_holdings,
            };
            let id = operator::create(db, &event, now).await?;
            println!("competition {id} begins on {first_day}");
        }
        CompetitionCommand::Cancel {
            competition,
            reason,
        } => {
            cancel::cancel(db, competition, &reason, now).await?;
            println!("competition {competition} is canceled; its accounts close within moments");
        }
        CompetitionCommand::Objections => {
            for one in operator::undecided(db).await? {
                let (id, event, member) = (one.id, one.competition_id, one.member_id);
                println!(
                    "objection {id} to competition {event} by {member}: {}",
                    one.text
                );
            }
        }
        CompetitionCommand::Dismiss { objection, answer } => {
            decide(objection, false, answer, Vec::new()).await?;
        }
        CompetitionCommand::Uphold {
            objection,
            answer,
            withhold_from,
        } => decide(objection, true, answer, withhold_from).await?,
    }
    Ok(())
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
