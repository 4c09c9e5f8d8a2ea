-- The product is called 시드업. A name that an operator has changed stays.
update item set name = '시드업 첫걸음 명패' where id = 15 and name = '씨드업 첫걸음 명패';
