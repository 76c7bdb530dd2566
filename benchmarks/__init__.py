"""What Backroom's speed and memory claims rest on: measured against other systems in one run (`make bench`)."""
