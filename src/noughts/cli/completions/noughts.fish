# Completion of noughts for fish 3.1 and later. noughts completion fish prints this file.

# Print folders, and files with one of the suffixes; if there are neither, and no words that fit, any file.
function __noughts_paths --argument-names has_words
    set -l suffixes $argv[2..]
    set -l word (commandline -ct)
    set -l head (string match -r '^.*=' -- $word)
    set -l paths "$head"(__fish_complete_path (string replace -r '^.*=' '' -- "$word"))
    set -l pattern '^[^\t]*/(?:\t|$)'
    for suffix in $suffixes
        set pattern $pattern'|^[^\t]*'(string escape --style=regex -- $suffix)'(?:\t|$)'
    end
    set -l wanted (string match -r -e -- $pattern $paths)
    if test (count $suffixes) -gt 0; and test $has_words = yes -o (count $wanted) -gt 0
        set paths $wanted
    end
    string join \n -- $paths
end

function __noughts_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l has_words no
    for line in (env _NOUGHTS_COMPLETE=fish_complete $words "$word" 2>/dev/null)
        set -l fields (string split \t -- $line)
        switch $fields[1]
            case plain
                set has_words yes
                string join \t -- $fields[2..]
            case file
                __noughts_paths $has_words (string split -n ' ' -- "$fields[2]")
            case dir
                __noughts_paths yes /
        end
    end
end

complete --command noughts --no-files --keep-order --arguments '(__noughts_complete)'
