-- no-transaction
call fill_balances(1000);
