"""An archive as a folder, for a browser to look at: all its files, painted here and now."""

from pathlib import Path

from pbem.archive.folder import write_files
from pbem.archive.model import Archive
from pbem.archive.pictures import picture_path, svg_of
from pbem.archive.poster import PAPERS, poster_svg
from pbem.archive.share import share_svg
from pbem.archive.site import SHARE, files_of
from pbem.board.painting import image_of, render, sheet_of


def write(archive: Archive, folder: Path) -> Path:
    pictures = {picture_path(step): image_of(svg_of(step.drawing)) for step in archive.steps}
    pictures[SHARE] = render(share_svg(archive))
    for paper in PAPERS if archive.is_over else ():
        sheets = sheet_of(poster_svg(archive, paper), paper.wide)
        pictures |= dict(zip(paper.paths, sheets, strict=True))
    write_files(folder, files_of(archive, pictures))
    return folder
