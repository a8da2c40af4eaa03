"""Links of the pages that lead out of docs/ name files of the repository, not pages.

The same pages are read on the repository, where such links work; in the built site
they become the file's path.
"""

import posixpath
import re

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
