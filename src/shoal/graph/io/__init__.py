"""Networks in files and in the objects of other packages."""
