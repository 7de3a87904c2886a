-- Nothing ever wrote to these two: what servers know of users and tokens are lines of `ledger_lines`.

DROP TABLE tokens;
DROP TABLE users;
