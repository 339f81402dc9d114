# Completion of noughts for bash 4.4 and later. noughts completion bash prints this file.

# Add to COMPREPLY: folders, and files with one of the suffixes; any file if nothing else was found.
_noughts_paths() {
    local current=${1//\\/} suffix # readline quotes the names again
    local -a found=()
    shift
    mapfile -t found < <(compgen -d -- "$current")
    for suffix; do
        mapfile -t -O ${#found[@]} found < <(compgen -f -X "!*$suffix" -- "$current")
    done
    if [[ $# -eq 0 || ${#found[@]} -eq 0 && ${#COMPREPLY[@]} -eq 0 ]]; then
        mapfile -t found < <(compgen -f -- "$current")
    fi
    [[ ${#found[@]} -eq 0 ]] && return
    compopt -o filenames 2>/dev/null
    COMPREPLY+=("${found[@]}")
}

_noughts() {
    local kind value help
    COMPREPLY=()
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain) COMPREPLY+=("$value") ;;
            file) _noughts_paths "$2" $value ;;
            dir) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
        esac
    done < <(_NOUGHTS_COMPLETE=bash_complete "${1/#\~/$HOME}" "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
}

complete -o nosort -F _noughts noughts 2>/dev/null || complete -F _noughts noughts
