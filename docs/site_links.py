"""What mkdocs cannot know by itself.

Links of the pages that lead out of docs/ name files of the repository, not pages. The same
pages are read on the repository, where such links work; in the built site they become the
file's path. And the pages of errors and warnings live beside the program that embeds them.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")
_PICTURE = re.compile(r"!\[([^\]]*)\]\((\.\./[^)\s]+)\)")


def on_page_markdown(markdown, page, config, files):
    """Called by mkdocs for every page."""
    folder = posixpath.dirname(page.file.src_uri)

    def plain(found):
        text, target = found.group(1), found.group(2)
        path = posixpath.normpath(posixpath.join("docs", folder, target))
        if "://" in target or path.startswith("docs/"):
            return found.group(0)
        return f"{text} (`{path}`)" if text.strip("`") != path else f"`{path}`"

    return _LINK.sub(plain, _PICTURE.sub(r"*\1*", markdown))


def on_files(files, config):
    """Called by mkdocs once: the pages of errors and warnings stand beside the program that
    embeds them, and are ``codes/`` of the site.
    """
    pages = Path(config.config_file_path).parent / "crates" / "isotherm-cli" / "pages"
    for page in sorted(pages.glob("*.md")):
        files.append(File.generated(config, f"codes/{page.name}", abs_src_path=str(page)))
    return files
