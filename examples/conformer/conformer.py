"""Molecular conformers: turn a molecule about its bonds until it lies on a target conformer.

Coordinates are in angstrom, (batch, atoms, 3); angles in radians.
"""

import math

import torch


# torch2jax: example rotation_matrix(torch.tensor([[0.6, 0.0, 0.8]]).double(), torch.tensor([0.7]).double())
def rotation_matrix(axis, angle):
    """Rodrigues' formula: unit axes (batch, 3) and angles (batch,) to matrices (batch, 3, 3)."""
    x, y, z = axis.unbind(-1)
    zero = torch.zeros_like(x)
    cross = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).view(-1, 3, 3)
    sin = torch.sin(angle)[:, None, None]
    cos = torch.cos(angle)[:, None, None]
    identity = torch.eye(3, dtype=axis.dtype, device=axis.device)
    return identity + sin * cross + (1 - cos) * torch.matmul(cross, cross)


# torch2jax: example rotate(torch.randn(2, 4, 3).double(), (1, 2), torch.tensor([False, False, True, True]), 0.5)
# torch2jax: example rotate(torch.randn(2, 4, 3).double(), (1, 2), torch.arange(4) > 1, torch.tensor(0.5).double())
# torch2jax: example rotate(torch.randn(2, 4, 3).double(), (1, 2), torch.arange(4) > 1, torch.tensor([0.5, 1]).double())
def rotate(coord, bond, mask, angle):
    """Rotate the atoms that ``mask`` (atoms,) selects about a bond, a pair of atoms.

    The angle is a float, one for the batch, or (batch,).
    """
    if isinstance(angle, float):
        angle = torch.tensor([angle], dtype=coord.dtype, device=coord.device)
    if len(angle.shape) == 0:
        angle = angle.unsqueeze(0)
    begin, end = bond
    origin = coord[:, begin]
    axis = coord[:, end] - origin
    axis = axis / axis.norm(dim=-1, keepdim=True)

    # Atoms are row vectors, so the matrix acts from the right, transposed.
    matrix = rotation_matrix(axis, angle.expand(coord.shape[0]))
    rotated = (coord - origin[:, None]) @ matrix.transpose(1, 2) + origin[:, None]

    ret = coord.clone()
    ret[:, mask] = rotated[:, mask]
    return ret


# torch2jax: example apply_torsions(torch.randn(1, 4, 3), ((0, 1), (1, 2)), torch.eye(4)[2:] > 0, torch.randn(2))
def apply_torsions(coord, bonds, masks, angles):
    """Turn about every bond in order: pairs of atoms, with ``masks`` (torsions, atoms) and ``angles`` (torsions,)."""
    for i, bond in enumerate(bonds):
        coord = rotate(coord, bond, masks[i], angles[i])
    return coord


# torch2jax: example align(torch.randn(2, 6, 3).double(), torch.randn(6, 3).double())
def align(coord, target):
    """Lay every conformer on ``target`` (atoms, 3) by the rigid motion that brings it closest (Kabsch)."""
    coord_center = coord.mean(dim=1, keepdim=True)
    target_center = target.mean(dim=0)
    coord = coord - coord_center
    covariance = coord.transpose(1, 2) @ (target - target_center)
    u, _, vh = torch.linalg.svd(covariance)

    # A reflection fits as well as a rotation: where the determinant is negative the last axis is turned round.
    sign = torch.sign(torch.det(u @ vh))
    u = u.clone()
    u[:, :, -1] *= sign[:, None]
    return coord @ (u @ vh) + target_center


# torch2jax: example rmsd(torch.randn(2, 6, 3).double(), torch.randn(6, 3).double())
def rmsd(coord, target):
    """Root mean square deviation over the atoms: (batch,)."""
    return torch.sqrt(((coord - target) ** 2).sum(dim=-1).mean(dim=-1))


# torch2jax: example loss(torch.ones(1), torch.randn(1, 6, 3), ((0, 1),), torch.eye(6)[2:3] > 0, torch.randn(6, 3))
def loss(angles: torch.Tensor, coord: torch.Tensor, bonds, masks: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The deviation that is left after turning the torsions and aligning, averaged over the batch."""
    turned = apply_torsions(coord, bonds, masks, angles)
    return rmsd(align(turned, target), target).mean()


# torch2jax: example wrap(torch.tensor([4.0, -4.0, 0.5]).double())
def wrap(angles):
    """The same angles between -pi and pi."""
    return torch.remainder(angles + math.pi, 2 * math.pi) - math.pi
