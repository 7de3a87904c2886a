"""T23: an agent that fires hooks and learns in one work tree, until it is told to stop."""

import os
import subprocess
import sys

from reliability.stand import EVENTS, command, payload


def main() -> None:
    tree, number, folder = sys.argv[1:]
    done, n = 0, 0
    while not os.path.exists(os.path.join(folder, "stop")):
        n += 1
        event = EVENTS[n % len(EVENTS)]
        given = payload(event, n + 1000 * int(number), session=f"s{number}", cwd=tree)
        ran = subprocess.run([command(), "hook", event], input=given, cwd=tree, capture_output=True)
        assert ran.returncode == 0, ran.stderr
        if n % 5 == 0:
            said = f"agent {number} learnt thing {n}"
            ran = subprocess.run([command(), "learn", said], cwd=tree, capture_output=True)
            assert ran.returncode == 0, ran.stderr
            done += 1
    with open(os.path.join(folder, f"{number}.done"), "w", encoding="utf-8") as file:
        file.write(str(done))


if __name__ == "__main__":
    main()
