-- The catalogue that the shop opens with. An operator edits it from then on.
insert into item
    (id, name, category, slot, currency, price, effect, picture, limit_per_member, stock, sale_from,
     sale_to, deposit_won)
values
    (1, '씨앗 주머니', 'DEPOSIT_PACK', null, 'CASH', 1,
     '계좌에 1,000원을 넣어 줘요.', 'pack-seed', null, null, null, null, 1000),
    (2, '새싹 주머니', 'DEPOSIT_PACK', null, 'CASH', 5,
     '계좌에 5,000원을 넣어 줘요.', 'pack-sprout', null, null, null, null, 5000),
    (3, '열매 주머니', 'DEPOSIT_PACK', null, 'CASH', 10,
     '계좌에 10,000원을 넣어 줘요.', 'pack-fruit', null, null, null, null, 10000),
    (4, '연속 학습 지킴이', 'STREAK_FREEZE', null, 'KRW', 50000,
     '하루를 쉬어도 연속 학습이 끊기지 않아요. 두 개까지 가질 수 있어요.', 'streak-freeze', null, null, null, null, 0),
    (5, '다시 시작 티켓', 'SEASON_TICKET', null, 'CASH', 3,
     '7일을 기다리지 않고 투자를 한 번 더 초기화할 수 있어요.', 'season-ticket', null, null, null, null, 0),
    (6, '숲 테마', 'THEME', 'THEME', 'KRW', 300000,
     '화면의 강조 색이 숲의 초록으로 바뀌어요.', 'theme-forest', 1, null, null, null, 0),
    (7, '바다 테마', 'THEME', 'THEME', 'KRW', 500000,
     '화면의 강조 색이 깊은 바다의 청록으로 바뀌어요.', 'theme-sea', 1, null, null, null, 0),
    (8, '노을 테마', 'THEME', 'THEME', 'KRW', 700000,
     '화면의 강조 색이 저녁노을의 주황으로 바뀌어요.', 'theme-sunset', 1, null, null, null, 0),
    (9, '밤하늘 테마', 'THEME', 'THEME', 'KRW', 1000000,
     '화면의 강조 색이 밤하늘의 보라로 바뀌어요.', 'theme-night', 1, null, null, null, 0),
    (10, '새싹 테두리', 'COLLECTIBLE', 'FRAME', 'KRW', 100000,
     '프로필에 새싹 테두리를 둘러요.', 'frame-sprout', 1, null, null, null, 0),
    (11, '물결 테두리', 'COLLECTIBLE', 'FRAME', 'KRW', 1000000,
     '프로필에 물결 테두리를 둘러요.', 'frame-wave', 1, null, null, null, 0),
    (12, '황금 테두리', 'COLLECTIBLE', 'FRAME', 'KRW', 10000000,
     '프로필에 황금 테두리를 둘러요.', 'frame-gold', 1, null, null, null, 0),
    (13, '다이아몬드 테두리', 'COLLECTIBLE', 'FRAME', 'KRW', 100000000,
     '프로필에 다이아몬드 테두리를 둘러요. 모두 100개만 있어요.', 'frame-diamond', 1, 100, null, null, 0),
    (14, '나뭇결 명패', 'COLLECTIBLE', 'PLATE', 'KRW', 500000,
     '닉네임 옆에 나뭇결 명패를 달아요.', 'plate-wood', 1, null, null, null, 0),
    (15, '씨드업 첫걸음 명패', 'COLLECTIBLE', 'PLATE', 'KRW', 3000000,
     '닉네임 옆에 첫걸음 명패를 달아요. 모두 1,000개만 있어요.', 'plate-first-step', 1, 1000, null, null, 0),
    -- For sale for a week from the first start on.
    (16, '개장 기념 명패', 'COLLECTIBLE', 'PLATE', 'KRW', 200000,
     '닉네임 옆에 개장 기념 명패를 달아요. 일주일 동안만 살 수 있어요.', 'plate-opening', 1, null,
     now(), now() + interval '7 days', 0);

-- Only packs are delivered so far. An item is listed with what gives its effect; the week of the last
-- one begins anew then.
update item set is_listed = category = 'DEPOSIT_PACK';
