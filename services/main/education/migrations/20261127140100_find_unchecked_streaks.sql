-- no-transaction
create index concurrently if not exists student_risk on student (risk_checked_on) where is_active;
