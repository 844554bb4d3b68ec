-- Sums are in pence, days are ISO dates.
CREATE TABLE refunds_customers (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, city TEXT NOT NULL,
    language TEXT NOT NULL, since TEXT NOT NULL, segment TEXT NOT NULL, credit INTEGER NOT NULL
);
CREATE TABLE refunds_addresses (
    id INTEGER PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES refunds_customers (id),
    street TEXT NOT NULL, city TEXT NOT NULL, remark TEXT NOT NULL
);
CREATE TABLE refunds_orders (
    id TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES refunds_customers (id),
    placed TEXT NOT NULL, store TEXT NOT NULL, status TEXT NOT NULL, payment TEXT NOT NULL,
    shipping INTEGER NOT NULL, shipping_refunded INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE refunds_lines (
    id INTEGER PRIMARY KEY, order_id TEXT NOT NULL REFERENCES refunds_orders (id),
    sku TEXT NOT NULL, title TEXT NOT NULL, quantity INTEGER NOT NULL,
    refunded INTEGER NOT NULL DEFAULT 0, price INTEGER NOT NULL, remark TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refunds_runs (
    id TEXT PRIMARY KEY, day TEXT NOT NULL, bank TEXT NOT NULL, status TEXT NOT NULL,
    files INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE refunds_refunds (
    id TEXT PRIMARY KEY, order_id TEXT NOT NULL REFERENCES refunds_orders (id),
    created TEXT NOT NULL, items TEXT NOT NULL, amount INTEGER NOT NULL,
    destination TEXT NOT NULL, reason TEXT NOT NULL, code TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL, run_id TEXT REFERENCES refunds_runs (id), note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refunds_requests (
    id TEXT PRIMARY KEY, line_id INTEGER NOT NULL REFERENCES refunds_lines (id),
    opened TEXT NOT NULL, quantity INTEGER NOT NULL, amount INTEGER NOT NULL,
    basis TEXT NOT NULL, wanted TEXT NOT NULL, status TEXT NOT NULL,
    considered TEXT NOT NULL DEFAULT '', checked INTEGER NOT NULL DEFAULT 0,
    decision_note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refunds_returns (
    id TEXT PRIMARY KEY, order_id TEXT NOT NULL REFERENCES refunds_orders (id),
    announced TEXT NOT NULL, deadline TEXT NOT NULL, reason TEXT NOT NULL, status TEXT NOT NULL
);
CREATE TABLE refunds_units (
    id TEXT PRIMARY KEY, return_id TEXT NOT NULL REFERENCES refunds_returns (id),
    title TEXT NOT NULL, weight INTEGER NOT NULL, remark TEXT NOT NULL DEFAULT '',
    grade TEXT NOT NULL DEFAULT '', part TEXT NOT NULL DEFAULT '', finding TEXT NOT NULL DEFAULT '',
    route TEXT NOT NULL DEFAULT '', bay TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refunds_claims (
    id TEXT PRIMARY KEY, unit_id TEXT NOT NULL REFERENCES refunds_units (id),
    filed TEXT NOT NULL, reference TEXT NOT NULL, percent INTEGER NOT NULL
);
CREATE TABLE refunds_disposals (
    id TEXT PRIMARY KEY, return_id TEXT NOT NULL REFERENCES refunds_returns (id),
    ordered TEXT NOT NULL, units TEXT NOT NULL
);
CREATE TABLE refunds_collections (
    id TEXT PRIMARY KEY REFERENCES refunds_returns (id), mode TEXT NOT NULL,
    address TEXT NOT NULL, day TEXT NOT NULL, slot TEXT NOT NULL, carrier TEXT NOT NULL
);
CREATE TABLE refunds_labels (
    id TEXT PRIMARY KEY, return_id TEXT NOT NULL REFERENCES refunds_returns (id),
    created TEXT NOT NULL, route TEXT NOT NULL, status TEXT NOT NULL
);
CREATE TABLE refunds_messages (
    id TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES refunds_customers (id),
    day TEXT NOT NULL, subject TEXT NOT NULL, about TEXT NOT NULL, language TEXT NOT NULL,
    status TEXT NOT NULL, answer_by TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refunds_cards (
    id TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES refunds_customers (id),
    issued TEXT NOT NULL, expires TEXT NOT NULL, balance INTEGER NOT NULL, status TEXT NOT NULL,
    block_reason TEXT NOT NULL DEFAULT '', replaces TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refunds_transfers (
    id TEXT PRIMARY KEY, source TEXT NOT NULL REFERENCES refunds_cards (id),
    target TEXT NOT NULL REFERENCES refunds_cards (id), amount INTEGER NOT NULL,
    reference TEXT NOT NULL, booked TEXT NOT NULL
);
CREATE TABLE refunds_notes (
    id INTEGER PRIMARY KEY, subject TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE refunds_batches (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, due TEXT NOT NULL, status TEXT NOT NULL,
    replies TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refunds_recipients (
    id INTEGER PRIMARY KEY, batch_id TEXT NOT NULL REFERENCES refunds_batches (id),
    customer_id TEXT NOT NULL REFERENCES refunds_customers (id), email TEXT NOT NULL,
    amount INTEGER NOT NULL, issue TEXT NOT NULL DEFAULT '', other_email TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL
);
CREATE TABLE refunds_policies (
    id TEXT PRIMARY KEY, label TEXT NOT NULL, value TEXT NOT NULL
);
CREATE TABLE refunds_exceptions (
    id TEXT PRIMARY KEY, store TEXT NOT NULL, goods TEXT NOT NULL, days INTEGER NOT NULL,
    starts TEXT NOT NULL, open_returns TEXT NOT NULL DEFAULT '',
    reference TEXT NOT NULL DEFAULT '', status TEXT NOT NULL
);
-- Volatile: forms under way, the activity log.
CREATE TABLE refunds_drafts (id TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE refunds_log (
    id INTEGER PRIMARY KEY, subject TEXT NOT NULL, text TEXT NOT NULL
);
