"""UGI and UCI, Gomocup, CodinGame and JSON lines, each as host of other programs and as engine for other hosts."""
