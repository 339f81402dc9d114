# Completion of noughts for fish 3.1 and later. noughts completion fish prints this file.

# Print folders, and files with one of the suffixes; any file if there are neither.
function __noughts_paths
    set -l word (commandline -ct)
    set -l head (string match -r '^.*=' -- $word)
    set -l paths "$head"(__fish_complete_path (string replace -r '^.*=' '' -- "$word"))
    set -l pattern '^[^\t]*/(?:\t|$)'
    for suffix in $argv
        set pattern $pattern'|^[^\t]*'(string escape --style=regex -- $suffix)'(?:\t|$)'
    end
    set -l wanted (string match -r -e -- $pattern $paths)
    if test (count $argv) -gt 0; and test (count $wanted) -gt 0
        set paths $wanted
    end
    string join \n -- $paths
end

function __noughts_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in (env _NOUGHTS_COMPLETE=fish_complete $words "$word" 2>/dev/null)
        set -l fields (string split \t -- $line)
        switch $fields[1]
            case plain
                string join \t -- $fields[2..]
            case file
                __noughts_paths (string split -n ' ' -- "$fields[2]")
            case dir
                __noughts_paths /
        end
    end
end

complete --command noughts --no-files --keep-order --arguments '(__noughts_complete)'
