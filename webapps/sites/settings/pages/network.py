"""Networks and notifications."""

from flask import render_template, request
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, query, row_or_404, see, ticked
from webapps.sites.settings.pages.shared import pages
from webapps.sites.settings.services import network


@pages.get("/network")
def network_list() -> str:
    """All wireless networks."""
    rows = current_world().rows("SELECT * FROM settings_networks ORDER BY id")
    return render_template("settings/networks.html", networks=rows)


@pages.get("/network/<key>")
def one_network(key: str) -> str:
    """One network; port openings are in the advanced part."""
    return render_template(
        "settings/network.html",
        network=row_or_404("settings_networks", key),
        security=network.SECURITY,
        openings=current_world().rows(
            "SELECT o.*, d.name AS device_name FROM settings_openings o JOIN settings_devices d"
            " ON d.id = o.device WHERE o.network = ? ORDER BY o.id",
            key,
        ),
    )


@pages.post("/network/<key>")
def save_network(key: str) -> Response:
    """Save a network."""
    act(
        network.save_network,
        key,
        entered("name"),
        entered("security"),
        request.form.getlist("option"),
        done="Network saved.",
    )
    return see(f"/settings/network/{key}")


@pages.post("/network/<key>/openings")
def save_openings(key: str) -> Response:
    """Save the port openings."""
    act(network.save_openings, key, request.form.getlist("enabled"), done="Port openings saved.")
    return see(f"/settings/network/{key}")


@pages.get("/notifications")
def topic_list() -> str:
    """All topics and the ways they are told."""
    rows = current_world().rows(
        "SELECT * FROM settings_topics WHERE (name || ' ' || area) LIKE ? ORDER BY id",
        f"%{query()}%",
    )
    return render_template("settings/topics.html", topics=rows, q=query())


@pages.get("/notifications/<key>")
def topic(key: str) -> str:
    """One topic."""
    return render_template("settings/topic.html", topic=row_or_404("settings_topics", key))


@pages.post("/notifications/<key>")
def save_topic(key: str) -> Response:
    """Save a topic."""
    act(
        network.save_topic,
        key,
        request.form.getlist("way"),
        urgent=ticked("urgent"),
        done="Notifications saved.",
    )
    return see(f"/settings/notifications/{key}")


@pages.get("/channels")
def channel_list() -> str:
    """The ways of being told, with quiet hours."""
    rows = current_world().rows("SELECT * FROM settings_channels ORDER BY rowid")
    return render_template("settings/channels.html", channels=rows)


@pages.post("/channels/<key>")
def save_notification_channel(key: str) -> Response:
    """Save a channel."""
    act(
        network.save_channel,
        key,
        quiet_from=entered("quiet_from"),
        quiet_to=entered("quiet_to"),
        paused=ticked("paused"),
        done="Channel saved.",
    )
    return see("/settings/channels")
