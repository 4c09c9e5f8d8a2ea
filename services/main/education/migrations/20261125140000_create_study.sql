-- Events of this service, written with their cause and sent later.
create table outbox (
    id bigint generated always as identity primary key,
    event_id uuid not null unique,
    event_type text not null,
    aggregate_id text not null,
    body bytea not null,
    traceparent text,
    occurred_at timestamptz not null
);

-- What a member has learned so far. Every change of the member's other rows locks this one first.
create table student (
    member_id bigint primary key,
    tried integer not null default 0,
    correct integer not null default 0,
    -- Education points that were granted.
    points bigint not null default 0,
    -- Sets and articles that were completed.
    lessons integer not null default 0,
    streak integer not null default 0 check (streak >= 0),
    streak_start date,
    best integer not null default 0,
    freezes smallint not null default 0 check (freezes between 0 and 2),
    -- Every day through this one is judged.
    judged_on date not null,
    -- What the last missed day ended.
    lost_on date,
    lost_streak integer not null default 0,
    lost_start date,
    -- Has a streak, or a completed set on a day that is not judged.
    is_active boolean not null default false
);
create index student_to_judge on student (judged_on) where is_active;

-- A change of a streak, so that support can explain it.
create table streak_change (
    id bigint generated always as identity primary key,
    member_id bigint not null,
    day date not null,
    reason text not null,
    streak_before integer not null,
    streak_after integer not null,
    freezes_before smallint not null,
    freezes_after smallint not null,
    changed_at timestamptz not null
);
create index streak_change_by_day on streak_change (member_id, day);

-- The weekly rest day from a Monday on; none where the weekday is null.
create table rest_day (
    member_id bigint not null,
    from_day date not null,
    weekday smallint check (weekday between 1 and 7),
    primary key (member_id, from_day)
);

-- A streak repair: noted, then paid in trading, then done or refused.
create table streak_repair (
    member_id bigint not null,
    -- The missed day.
    day date not null,
    state text not null check (state in ('NOTED', 'DONE', 'REFUSED')),
    noted_at timestamptz not null,
    finished_at timestamptz,
    primary key (member_id, day)
);
create index streak_repair_noted on streak_repair (noted_at) where state = 'NOTED';

-- Today's set of a kind and, for THEME, of a theme.
create table quiz_set (
    id bigint generated always as identity primary key,
    member_id bigint not null,
    day date not null,
    kind text not null check (kind in ('RANDOM', 'THEME')),
    theme text not null default '',
    earns boolean not null,
    handed_at timestamptz not null,
    completed_at timestamptz,
    constraint quiz_set_once unique (member_id, day, kind, theme)
);

-- One handing-out of a quiz or an article (memberEducationSid), with its answer.
create table handout (
    id bigint generated always as identity primary key,
    member_id bigint not null,
    kind text not null check (kind in ('QUIZ', 'REVIEW', 'ARTICLE')),
    edu_id text not null,
    set_id bigint references quiz_set (id),
    place smallint not null default 0,
    day date not null,
    handed_at timestamptz not null,
    answered_at timestamptz,
    -- Keys joined by a vertical bar.
    given text,
    is_correct boolean,
    -- Given in time for the set of its day.
    is_counted boolean,
    points integer not null default 0,
    set_bonus integer not null default 0,
    next_review_on date,
    -- What the member saw.
    content_version text,
    survey text check (survey in ('GOOD', 'BAD'))
);
create index handout_of_day on handout (member_id, day);
create index handout_of_set on handout (set_id) where set_id is not null;
create unique index handout_review_once on handout (member_id, day, edu_id) where kind = 'REVIEW';
create unique index handout_reading_once on handout (member_id, edu_id) where kind = 'ARTICLE';

-- How well a quiz is remembered.
create table review_card (
    member_id bigint not null,
    quiz_id text not null,
    theme text not null,
    stability real not null,
    difficulty real not null,
    last_on date not null,
    due_on date not null,
    answers integer not null,
    primary key (member_id, quiz_id)
);

-- Education points that were granted; 0 where the cap left nothing.
create table point_grant (
    member_id bigint not null,
    edu_id text not null,
    kind text not null check (kind in ('QUIZ', 'SET', 'ARTICLE', 'SURVEY', 'STREAK')),
    points integer not null check (points >= 0),
    day date not null,
    granted_at timestamptz not null,
    primary key (member_id, edu_id, kind)
);

-- What was done on a day. `points` are those that count toward the cap.
create table study_day (
    member_id bigint not null,
    day date not null,
    points integer not null default 0,
    answered integer not null default 0,
    correct integer not null default 0,
    sets integer not null default 0,
    articles integer not null default 0,
    primary key (member_id, day)
);
