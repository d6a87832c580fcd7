"""The visual report of a page, and the figures of the published algorithms."""

from .page_report import ReportUnavailable, write_report

__all__ = ["ReportUnavailable", "write_report"]
