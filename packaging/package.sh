#!/bin/sh
# A binary → a tarball and, where dpkg-deb is there, a Debian package: binary, man pages,
# completions, licences. The same binary gives the same bytes.
#
#   packaging/package.sh BINARY OUT_DIR
set -eu

[ $# -eq 2 ] || { echo "usage: $0 BINARY OUT_DIR" >&2; exit 2; }
binary=$1
out=$2
root=$(cd "$(dirname "$0")/.." && pwd)

version=$("$binary" --version | cut -d' ' -f2)
machine=$(uname -m)
system=$(uname -s | tr '[:upper:]' '[:lower:]')
name="isotherm-$version-$machine-$system"
# A moment that does not change: reproducible builds set their own.
moment=${SOURCE_DATE_EPOCH:-0}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/$name"
mkdir -p "$tree/bin" "$tree/share/man/man1" "$tree/share/bash-completion/completions" \
  "$tree/share/zsh/site-functions" "$tree/share/fish/vendor_completions.d" \
  "$tree/share/doc/isotherm"
install -m 755 "$binary" "$tree/bin/isotherm"
"$binary" man --out-dir "$tree/share/man/man1"
"$binary" completions bash > "$tree/share/bash-completion/completions/isotherm"
"$binary" completions zsh > "$tree/share/zsh/site-functions/_isotherm"
"$binary" completions fish > "$tree/share/fish/vendor_completions.d/isotherm.fish"
for file in README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE; do
  install -m 644 "$root/$file" "$tree/share/doc/isotherm/$file"
done

mkdir -p "$out"
pack() { # pack NAME DIRECTORY ENTRY: an archive whose bytes depend on its contents only
  # Not through a pipe: of a pipe, sh only knows whether its last command failed.
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$moment" --mode=go-w \
    -C "$2" -cf "$work/pack.tar" "$3"
  gzip -n9 < "$work/pack.tar" > "$out/.$1.part"
  mv "$out/.$1.part" "$out/$1"
  echo "$out/$1"
}
pack "$name.tar.gz" "$work" "$name"

command -v dpkg-deb > /dev/null || exit 0
deb="$work/deb"
mkdir -p "$deb/DEBIAN"
cp -R "$tree" "$deb/usr"
mv "$deb/usr/share/zsh/site-functions" "$deb/usr/share/zsh/vendor-completions"
gzip -n9 "$deb"/usr/share/man/man1/*.1 "$deb/usr/share/doc/isotherm/CHANGELOG.md"
mv "$deb/usr/share/doc/isotherm/CHANGELOG.md.gz" "$deb/usr/share/doc/isotherm/changelog.gz"
cat "$root/packaging/copyright" > "$deb/usr/share/doc/isotherm/copyright"
# A binary that is linked against libraries needs them; a static one needs nothing.
depends=
if ldd "$binary" 2> /dev/null | grep -q 'libc\.so'; then
  needs=$(grep -ao 'GLIBC_2\.[0-9]*' "$binary" | sort -u -t. -k2,2n | tail -n 1 | cut -d_ -f2)
  depends="Depends: libc6 (>= $needs), libgcc-s1"
fi
{
  echo "Package: isotherm"
  echo "Version: $version"
  echo "Architecture: $(dpkg --print-architecture)"
  echo "Section: science"
  echo "Priority: optional"
  echo "Maintainer: isotherm developers <developers@isotherm.invalid>"
  echo "Installed-Size: $(du -sk "$deb/usr" | cut -f1)"
  if [ -n "$depends" ]; then echo "$depends"; fi
  echo "Description: labels for every row, from a handful of them"
  echo " Learns from a few labels and all the unlabelled data around them: tables and"
  echo " graphs, with an honest accuracy, a model for new rows and the rows to label next."
} > "$deb/DEBIAN/control"
find "$deb" -exec touch -h -d "@$moment" {} +
package="isotherm_${version}_$(dpkg --print-architecture).deb"
SOURCE_DATE_EPOCH=$moment dpkg-deb --build --root-owner-group -Zgzip "$deb" "$work/$package" > /dev/null
mv "$work/$package" "$out/$package"
echo "$out/$package"
