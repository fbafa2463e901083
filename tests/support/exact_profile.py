"""What two runs of a program have in common in the profiles that they write: counts, which are exact in every tier."""

import json

# A profile is to have no samples of processor time either: paths would get shares of them.
WITHOUT_TIME = "--profile-time=off"
# Of the run that wrote the profile: its command line and date, its clocks.
OF_THE_RUN = ("runs", "time")


def exact_part(text: str) -> str:
    """The text of a profile without what is of the run alone; what is no JSON stays as it is."""
    if not text.startswith("{"):
        return text
    profile = json.loads(text)
    for member in OF_THE_RUN:
        profile.pop(member, None)
    return json.dumps(profile, indent=1)
