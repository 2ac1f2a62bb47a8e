"""Predicts the water level at a berth."""

from datetime import datetime
from math import cos, radians

# Amplitude in metres, speed in degrees per hour, phase in degrees.
CONSTITUENTS = {
    "M2": (1.21, 28.984, 112.0),
    "S2": (0.42, 30.0, 145.0),
}


def height(moment: datetime) -> float:
    """The water level in metres above chart datum."""
    hours = moment.timestamp() / 3600
    level = 2.4
    for amplitude, speed, phase in CONSTITUENTS.values():
        level += amplitude * cos(radians(speed * hours - phase))
    return level
