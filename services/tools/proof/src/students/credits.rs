//! The grants of education against the replies that students had, and against trading's credits.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use sqlx::PgPool;

use super::Studied;

/// Allows for a relay that was killed.
const TIMEOUT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(500);
const SHOWN: usize = 20;

/// By member and key, as trading names the grant.
type Points = BTreeMap<(i64, String), i64>;

/// Returns what differs, after every event of education was sent and handled.
pub(crate) async fn check(
    education: &PgPool,
    trading: &PgPool,
    of_workers: Vec<Studied>,
) -> anyhow::Result<Vec<String>> {
    let mut studied = Studied::default();
    for of_worker in of_workers {
        studied.add(of_worker);
    }
    let mut faults: Vec<String> = studied.faults.iter().take(SHOWN).cloned().collect();
    let granted = points(
        education,
        "select member_id, kind || ':' || edu_id, points::bigint from point_grant where points > 0",
    )
    .await?;
    let began = Instant::now();
    let credited = await_credits(trading, &granted, began).await?;
    let waited = began.elapsed().as_millis();
    faults.extend(differences(&granted, &credited).take(SHOWN));
    let mut of_member: BTreeMap<i64, i64> = BTreeMap::new();
    for ((member, _), points) in &granted {
        *of_member.entry(*member).or_default() += points;
    }
    faults.extend(check_replies(&studied, &of_member));
    faults.extend(check_transfers(trading, &studied, &of_member).await?);
    let above: i64 = sqlx::query_scalar("select count(*) from study_day where points > 100")
        .fetch_one(education)
        .await?;
    if above > 0 {
        faults.push(format!("{above} days earned more than their cap"));
    }
    println!(
        "checked: {} answers of {} students ({} repeated, {} calls retried), {} grants credited after {waited} ms, {} won moved by {} transfers, {} refused, {} faults",
        studied.answers,
        studied.granted.len(),
        studied.repeated,
        studied.failed_calls,
        granted.len(),
        studied.moved.values().map(|(_, won)| won).sum::<i64>(),
        studied.transfers,
        studied.refused,
        faults.len()
    );
    Ok(faults)
}

/// What trading has credited once that is what was `granted`, or after [`TIMEOUT`].
async fn await_credits(
    trading: &PgPool,
    granted: &Points,
    began: Instant,
) -> anyhow::Result<Points> {
    loop {
        let credited = points(
            trading,
            "select a.member_id, p.source_key, p.points::bigint from point_change p \
             join account a on a.id = p.account_id where p.kind = 'EARNED'",
        )
        .await?;
        if credited == *granted || began.elapsed() > TIMEOUT {
            return Ok(credited);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// The points that replies named against those granted to each member.
fn check_replies(studied: &Studied, granted: &BTreeMap<i64, i64>) -> Vec<String> {
    let wrong = studied
        .granted
        .iter()
        .filter(|(member, points)| granted.get(member).copied().unwrap_or_default() != **points);
    let faults = wrong.take(SHOWN).map(|(member, points)| {
        format!("student {member} was told of {points} points, and education granted others")
    });
    faults.collect()
}

/// The transfers that replies named against those stored, and against the points left.
async fn check_transfers(
    trading: &PgPool,
    studied: &Studied,
    granted: &BTreeMap<i64, i64>,
) -> anyhow::Result<Vec<String>> {
    let moved = moved(trading).await?;
    let told = &studied.moved;
    let members = moved.keys().chain(told.keys()).collect::<BTreeSet<_>>();
    let wrong = members
        .into_iter()
        .filter(|member| moved.get(member) != told.get(member));
    let mut faults: Vec<String> = Vec::new();
    faults.extend(wrong.take(SHOWN).map(|member| {
        let (moved, told) = (moved.get(member), told.get(member));
        format!("student {member} was told of {told:?} (points, won) moved, not of {moved:?}")
    }));
    let left = left(trading).await?;
    let wrong = granted.iter().filter(|(member, points)| {
        let moved = moved.get(member).map_or(0, |(points, _)| *points);
        left.get(member).copied().unwrap_or_default() != **points - moved
    });
    faults.extend(wrong.take(SHOWN).map(|(member, points)| {
        let (left, moved) = (left.get(member), moved.get(member));
        format!("student {member} has {left:?} of {points} points, moved {moved:?}")
    }));
    Ok(faults)
}

/// Points that each member has.
async fn left(pool: &PgPool) -> Result<BTreeMap<i64, i64>, sqlx::Error> {
    let rows: Vec<(i64, i64)> = sqlx::query_as(
        "select a.member_id, b.amount from balance b join account a on a.id = b.account_id \
         where b.asset = 'EP'",
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().collect())
}

/// Points that became won, and those won, by member.
async fn moved(pool: &PgPool) -> Result<BTreeMap<i64, (i64, i64)>, sqlx::Error> {
    let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
        "select a.member_id, -sum(p.points)::bigint, sum(p.won)::bigint from point_change p \
         join account a on a.id = p.account_id where p.kind = 'MOVED' group by 1",
    )
    .fetch_all(pool)
    .await?;
    let of_member = |(member, points, won)| (member, (points, won));
    Ok(rows.into_iter().map(of_member).collect())
}

async fn points(pool: &PgPool, sql: &'static str) -> anyhow::Result<Points> {
    let rows: Vec<(i64, String, i64)> = sqlx::query_as(sql).fetch_all(pool).await?;
    let count = rows.len();
    let points: Points = rows
        .into_iter()
        .map(|(member, key, points)| ((member, key), points))
        .collect();
    anyhow::ensure!(points.len() == count, "a grant was credited twice");
    Ok(points)
}

fn differences(granted: &Points, credited: &Points) -> impl Iterator<Item = String> {
    let lost = granted.iter().filter_map(|(key, points)| {
        let credited = credited.get(key);
        (credited != Some(points))
            .then(|| format!("{key:?}: {points} granted, {credited:?} credited"))
    });
    let invented = credited.keys().filter(|key| !granted.contains_key(*key));
    let invented = invented.map(|key| format!("{key:?} was credited and never granted"));
    lost.chain(invented).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(of: &[(i64, &str, i64)]) -> Points {
        of.iter()
            .map(|(member, key, points)| ((*member, (*key).to_owned()), *points))
            .collect()
    }

    #[test]
    fn lost_changed_and_invented_credits_are_named() {
        let granted = points(&[(1, "QUIZ:a", 10), (1, "QUIZ:b", 5), (2, "SET:1", 20)]);
        assert_eq!(differences(&granted, &granted).count(), 0);
        let credited = points(&[(1, "QUIZ:a", 10), (1, "QUIZ:b", 6), (3, "SET:9", 20)]);
        assert_eq!(differences(&granted, &credited).count(), 3);
    }
}
