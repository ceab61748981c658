"""The forms of the catalog: what people type, checked, with errors that say what to do."""
