-- no-transaction
call fill_cash_movements(5000);
