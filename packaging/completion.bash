# Completion of mangata's options for bash; the list is that of `mangata --help`.
_mangata() {
  local current=${COMP_WORDS[COMP_CWORD]} options
  COMPREPLY=()
  if [[ $current == -* ]]; then
    options=$(mangata --help 2>/dev/null | grep -oE -- '^  -[-a-zA-Z]+=?' | tr -d ' ')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    compopt -o filenames
  fi
}
complete -F _mangata mangata
