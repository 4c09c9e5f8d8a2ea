-- compatible: the release before does not know it.
drop procedure fill_cash_movements;
