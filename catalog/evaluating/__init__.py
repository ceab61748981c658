"""Measuring an engine on queries whose right tools are known."""
