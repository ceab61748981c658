"""What the tests need beside Python packages, a browser, and MCP servers and OpenAPI documents from npm: `python -m tests.prepare`.

What is missing is installed. What cannot be had is said, not failed on: the tests that need it are skipped with a
reason, and CI refuses such skips.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NPM_FOLDER = Path(__file__).parent / "mcp_servers"
NPM_COMMANDS = NPM_FOLDER / "node_modules" / ".bin"
NPM_SERVERS = ("everything", "filesystem", "memory", "sequential-thinking")
NPM_DOCUMENTS = ("rclone-openapi", "shipengine-openapi")


def chromium() -> str | None:
    """The path of a Chromium: the system's, or the one Playwright keeps."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
        return path if Path(path).exists() else None


def prepare_system() -> None:
    """A browser with Chinese fonts, and the sandbox that started MCP servers run in, from Debian's packages."""
    if (chromium() and shutil.which("bwrap")) or not shutil.which("apt-get") or os.geteuid() != 0:
        return
    _attempt(["apt-get", "update", "-qq"])
    _attempt(["apt-get", "install", "-y", "-qq", "fonts-noto-cjk", "bubblewrap"])
    for browser in ("chromium-headless-shell", "chromium"):  # the first is lighter, and not in every release
        if not chromium():
            _attempt(["apt-get", "install", "-y", "-qq", browser])


def prepare_browser() -> None:
    if not chromium():
        _attempt([sys.executable, "-m", "playwright", "install", "chromium"])
    if not chromium():
        print("No browser could be installed: the browser tests will be skipped.")


def prepare_mcp_servers() -> None:
    servers = [NPM_COMMANDS / f"mcp-server-{name}" for name in NPM_SERVERS]
    documents = [NPM_FOLDER / "node_modules" / name for name in NPM_DOCUMENTS]
    if all(part.exists() for part in [*servers, *documents]):
        return
    if not shutil.which("npm"):
        print("npm is not here: the tests with parts from npm will be skipped.")
        return
    _attempt(["npm", "ci", "--no-audit", "--no-fund", "--silent", "--prefix", str(NPM_FOLDER)])


def _attempt(command: list[str]) -> None:
    print("+", " ".join(command), flush=True)
    outcome = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    if outcome.returncode:
        print(f"  failed with status {outcome.returncode}")


if __name__ == "__main__":
    prepare_system()
    prepare_browser()
    prepare_mcp_servers()
