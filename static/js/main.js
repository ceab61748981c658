// The one entry. Each module is one behaviour, found by a data- attribute; its head comment shows the markup.
import "./theme.js";
import "./shortcuts.js";
import "./dialogs.js";
import "./copy.js";
import "./dismiss.js";
import "./errors.js";
import "./terms.js";
import "./hits.js";
import "./selection.js";
import "./unsaved.js";
import "./rows.js";
import "./overlay.js";
import "./drop.js";
import "./reorder.js";
import "./narrow.js";
import "./focus.js";
import "./scrolling.js";
