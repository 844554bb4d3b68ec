CREATE TABLE settings_places (id TEXT PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE settings_members (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, standing TEXT NOT NULL,
    place TEXT NOT NULL, state TEXT NOT NULL, two_step INTEGER NOT NULL, joined_on TEXT NOT NULL
);
CREATE TABLE settings_devices (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, model TEXT NOT NULL,
    hardware TEXT NOT NULL, place TEXT NOT NULL, room TEXT NOT NULL, owner TEXT NOT NULL,
    serial TEXT NOT NULL, firmware TEXT NOT NULL, channel TEXT NOT NULL, state TEXT NOT NULL,
    last_seen TEXT NOT NULL, used_gb REAL NOT NULL, total_gb INTEGER NOT NULL,
    backup_target TEXT, last_backup TEXT, unsaved_items INTEGER NOT NULL DEFAULT 0,
    lock_message TEXT NOT NULL DEFAULT '', lock_number TEXT NOT NULL DEFAULT '',
    esim_kept INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE settings_contents (
    id TEXT PRIMARY KEY, device TEXT NOT NULL, label TEXT NOT NULL, size_gb REAL NOT NULL,
    bound INTEGER NOT NULL
);
CREATE TABLE settings_handovers (
    device TEXT PRIMARY KEY, giver TEXT NOT NULL, receiver TEXT NOT NULL,
    effective_on TEXT NOT NULL, kept TEXT NOT NULL, tell_giver INTEGER NOT NULL,
    tell_receiver INTEGER NOT NULL, reason TEXT NOT NULL
);
CREATE TABLE settings_privacy (
    device TEXT PRIMARY KEY, improve INTEGER NOT NULL, crash_reports INTEGER NOT NULL,
    voice_samples INTEGER NOT NULL, nearby INTEGER NOT NULL
);
CREATE TABLE settings_recipients (
    id TEXT PRIMARY KEY, device TEXT NOT NULL, name TEXT NOT NULL, category TEXT NOT NULL,
    receives TEXT NOT NULL, since TEXT NOT NULL, shared INTEGER NOT NULL
);
CREATE TABLE settings_packages (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, recipient TEXT NOT NULL, place TEXT NOT NULL,
    resolution TEXT NOT NULL, contract TEXT NOT NULL, checked INTEGER NOT NULL, state TEXT NOT NULL
);
CREATE TABLE settings_participants (
    id TEXT PRIMARY KEY, package TEXT NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL,
    consent TEXT NOT NULL, agreed_on TEXT NOT NULL, how TEXT NOT NULL, form_number TEXT NOT NULL,
    left_out INTEGER NOT NULL
);
CREATE TABLE settings_topics (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, area TEXT NOT NULL, email INTEGER NOT NULL,
    push INTEGER NOT NULL, text INTEGER NOT NULL, urgent INTEGER NOT NULL
);
CREATE TABLE settings_channels (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL, quiet_from TEXT NOT NULL,
    quiet_to TEXT NOT NULL, paused INTEGER NOT NULL
);
CREATE TABLE settings_networks (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, place TEXT NOT NULL, band TEXT NOT NULL,
    security TEXT NOT NULL, purpose TEXT NOT NULL, visible INTEGER NOT NULL,
    isolated INTEGER NOT NULL
);
CREATE TABLE settings_openings (
    id TEXT PRIMARY KEY, network TEXT NOT NULL, label TEXT NOT NULL, port INTEGER NOT NULL,
    protocol TEXT NOT NULL, device TEXT NOT NULL, enabled INTEGER NOT NULL
);
CREATE TABLE settings_targets (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, place TEXT NOT NULL, total_gb INTEGER NOT NULL,
    used_gb INTEGER NOT NULL, state TEXT NOT NULL
);
CREATE TABLE settings_backups (
    id TEXT PRIMARY KEY, device TEXT NOT NULL, made_at TEXT NOT NULL, kind TEXT NOT NULL,
    size_gb REAL NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL
);
CREATE TABLE settings_backup_plans (
    device TEXT PRIMARY KEY, runs_at TEXT NOT NULL, keep_full TEXT NOT NULL,
    keep_partial TEXT NOT NULL, second_copy INTEGER NOT NULL, note TEXT NOT NULL
);
CREATE TABLE settings_versions (
    id TEXT PRIMARY KEY, model TEXT NOT NULL, version TEXT NOT NULL, channel TEXT NOT NULL,
    hardware TEXT NOT NULL, released_on TEXT NOT NULL, size_mb INTEGER NOT NULL, state TEXT NOT NULL
);
CREATE TABLE settings_update_plans (
    device TEXT PRIMARY KEY, version TEXT NOT NULL, not_before TEXT NOT NULL, slot TEXT NOT NULL,
    backup_first INTEGER NOT NULL, restart_linked INTEGER NOT NULL, tell TEXT NOT NULL,
    note TEXT NOT NULL
);
CREATE TABLE settings_links (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, place TEXT NOT NULL, keeper TEXT NOT NULL,
    size_gb REAL NOT NULL, revision INTEGER NOT NULL, ends_on TEXT NOT NULL, opened INTEGER NOT NULL
);
CREATE TABLE settings_guests (
    id TEXT PRIMARY KEY, link TEXT NOT NULL, name TEXT NOT NULL, company TEXT NOT NULL,
    email TEXT NOT NULL, outside INTEGER NOT NULL, access TEXT NOT NULL, ends_on TEXT NOT NULL,
    originals INTEGER NOT NULL
);
CREATE TABLE settings_reminders (
    link TEXT NOT NULL, member TEXT NOT NULL, lead TEXT NOT NULL, subject TEXT NOT NULL,
    PRIMARY KEY (link, member, lead)
);
CREATE TABLE settings_invitations (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, standing TEXT NOT NULL,
    reach TEXT NOT NULL, good_until TEXT NOT NULL, state TEXT NOT NULL, drafted_by TEXT NOT NULL,
    approver TEXT NOT NULL, message TEXT NOT NULL
);
CREATE TABLE settings_activity (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
    subject TEXT NOT NULL
);
CREATE TABLE settings_drafts (
    form TEXT NOT NULL, subject TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (form, subject)
);
