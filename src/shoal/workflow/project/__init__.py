"""Projects: several tables that are linked, masked in step, counted on their join, released together."""

from shoal.workflow.project.project import Join, Project, ProjectTable
from shoal.workflow.project.release_project import ReleasedProject, mask_project, release_project

__all__ = ["Join", "Project", "ProjectTable", "ReleasedProject", "mask_project", "release_project"]
