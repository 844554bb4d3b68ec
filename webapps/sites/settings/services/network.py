"""Networks, port openings and notifications."""

from collections.abc import Collection

from webapps.sites.settings.services import checks
from webapps.sites.settings.services.activity import log
from webapps.world import Refusal, World

SECURITY = ("WPA2", "WPA3")
OPTIONS = ("visible", "isolated")
WAYS = ("email", "push", "text")


def save_network(
    world: World, network: str, name: str, security: str, options: Collection[str]
) -> None:
    """Change a wireless network; `options` are those of `OPTIONS` that are on."""
    row = checks.find(world, "settings_networks", network, "network")
    checks.one_of(security, SECURITY, "Security")
    if row["purpose"] == "Guests" and "isolated" not in options:
        raise Refusal("A guest network has to stay apart from the others.")
    world.execute(
        "UPDATE settings_networks SET name = ?, security = ?, visible = ?, isolated = ?"
        " WHERE id = ?",
        checks.words(name, "Network name"),
        security,
        *(int(each in options) for each in OPTIONS),
        network,
    )
    log(world, "Network changed", name)


def save_openings(world: World, network: str, enabled: Collection[str]) -> None:
    """Open exactly these ports of a network, given by id."""
    checks.find(world, "settings_networks", network, "network")
    for row in world.rows("SELECT id FROM settings_openings WHERE network = ?", network):
        world.execute(
            "UPDATE settings_openings SET enabled = ? WHERE id = ?",
            int(row["id"] in enabled),
            row["id"],
        )
    log(world, "Port openings saved", network)


def save_topic(world: World, topic: str, ways: Collection[str], *, urgent: bool) -> None:
    """Choose how to be told of a topic. Safety topics need one way at least."""
    row = checks.find(world, "settings_topics", topic, "topic")
    chosen = [way in ways for way in WAYS]
    if row["area"] == "Safety" and not any(chosen):
        raise Refusal(f"{row['name']} concerns safety: keep at least one way.")
    world.execute(
        "UPDATE settings_topics SET email = ?, push = ?, text = ?, urgent = ? WHERE id = ?",
        *map(int, chosen),
        int(urgent),
        topic,
    )
    log(world, "Notifications saved", row["name"])


def save_channel(
    world: World, channel: str, *, quiet_from: str, quiet_to: str, paused: bool
) -> None:
    """Set a channel's quiet hours, or pause it."""
    row = checks.find(world, "settings_channels", channel, "channel")
    if bool(quiet_from) != bool(quiet_to):
        raise Refusal("Quiet hours need a beginning and an end.")
    world.execute(
        "UPDATE settings_channels SET quiet_from = ?, quiet_to = ?, paused = ? WHERE id = ?",
        quiet_from,
        quiet_to,
        int(paused),
        channel,
    )
    log(world, "Channel saved", row["name"])
