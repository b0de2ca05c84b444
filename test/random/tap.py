"""What tests print: TAP."""


def report(outcomes):
    """Prints outcomes, pairs of name and fault or None, as TAP; the exit status."""
    failed = number = 0
    for number, (name, fault) in enumerate(outcomes, 1):
        print(f"{'not ' if fault else ''}ok {number} - {name}", flush=True)
        if fault:
            failed += 1
            print("\n".join("# " + line for line in fault.split("\n")), flush=True)
    print(f"1..{number}")
    return 1 if failed or not number else 0
