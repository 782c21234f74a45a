"""Who may do what: accounts, roles, sessions of the page and tokens of the API, kept in the ledger's database."""
