"""Where in the body what a sentence names is: "a small effusion on the left", "right upper and lower lobe opacities".

Sides are a closed list; parts of the body are rows of ``sites.csv``, each with what it lies in and what else it is
called. A mention has the sites that its own noun phrase tells, those that follow it with a preposition, and else those
of the words that lead its clause ("Left knee: …", "The right lung shows …"). How severe it is there stands before them.
"""

from search_stack.language.sites.groups import Group, groups
from search_stack.language.sites.placing import grouped, placed, sites, sites_of_heading
from search_stack.language.sites.senses import sense_by_site
from search_stack.language.sites.severity import Severity, at_grades, severities
from search_stack.language.sites.table import PAIR, SITELESS, covering, denying, is_at, names, site_of, wider

__all__ = [
    "PAIR",
    "SITELESS",
    "Group",
    "Severity",
    "at_grades",
    "covering",
    "denying",
    "grouped",
    "groups",
    "is_at",
    "names",
    "placed",
    "sense_by_site",
    "severities",
    "site_of",
    "sites",
    "sites_of_heading",
    "wider",
]
