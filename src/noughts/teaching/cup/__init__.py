"""The class cup: a folder of submissions in any language, checked, played, shown live and reported."""
